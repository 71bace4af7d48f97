import Foundation
import SpeechText
import Testing

@testable import SpeechActions

@Suite struct PromptTemplateTests {
  private static let input = ActionInput(
    "Guten Tag", targetLanguage: "English", locale: "de_DE",
    date: Date(timeIntervalSince1970: 1_792_000_000), variables: ["who": "Ann"])

  private static let values = TemplateValues(
    input, variables: ["tone": "formal", "empty": "", "app": "Mail"], timeZone: .gmt)

  @Test(arguments: [
    ("plain", "plain"),
    ("{{text}}", "Guten Tag"),
    ("{{ text }}!", "Guten Tag!"),
    ("{{locale}} {{date}} {{who}} {{tone}} {{app}}", "de_DE 2026-10-14 Ann formal Mail"),
    ("{{source_language|German}}", "German"),
    ("{{empty|none}}", "none"),
    ("{{empty}}", ""),
    (#"{{source_language|a\}\}b \\ \|}}"#, #"a}}b \ |"#),
    ("{{source_language|}}.", "."),
    ("{{#if target_language}}yes{{else}}no{{/if}}", "yes"),
    ("{{#if empty}}yes{{else}}no{{/if}}", "no"),
    ("{{#if source_language}}yes{{/if}}.", "."),
    ("{{#if text}}{{#if empty}}1{{else}}2{{/if}}{{else}}3{{/if}}", "2"),
    (#"\{{text}}"#, "{{text}}"),
    (#"\\{{text}}"#, #"\Guten Tag"#),
    (#"\\\{{text}}"#, #"\{{text}}"#),
    (#"a\b {c} }} \n"#, #"a\b {c} }} \n"#),
    ("ä🙂{{text}}", "ä🙂Guten Tag"),
  ])
  func `placeholders are filled in`(source: String, expected: String) throws {
    #expect(try PromptTemplate(source).rendered(with: Self.values) == expected)
  }

  @Test(arguments: [
    ("Summarise this.", "", "Summarise this.\n\nGuten Tag", true),
    ("Summarise this: {{text}}", "", "Summarise this: Guten Tag", false),
    ("{{#if empty}}{{text}}{{/if}}Greet.", "", "Greet.", false),
    ("{{#if text}}Greet.{{/if}}", "", "Greet.\n\nGuten Tag", true),
    ("Greet.", "The text is {{text}}.", "Greet.", false),
    (#"Insert at \{{text}}."#, "", "Insert at {{text}}.\n\nGuten Tag", true),
  ])
  func `the text is appended to a prompt without a place for it`(
    prompt: String, system: String, expected: String, isAppended: Bool
  ) throws {
    let templates = try ActionTemplates(prompt: prompt, system: system)
    #expect(try templates.prompt.rendered(with: Self.values) == expected)
    #expect(templates.appendsText == isAppended)
    let silent = TemplateValues(ActionInput(""), timeZone: .gmt)
    if isAppended {
      #expect(try !templates.prompt.rendered(with: silent).hasSuffix("\n"))
    }
  }

  @Test(arguments: [
    ("{{text", "1:1: The closing }} is missing"),
    ("a\nbc {{text}} {{", "2:13: The closing }} is missing"),
    ("ä🙂 {{}}", "1:4: A name is missing"),
    ("{{a b}}", "1:1: “a b” is not a valid"),
    ("{{1a}}", "1:1: “1a” is not a valid"),
    ("{{#if text}}x", "1:1: This condition is not closed"),
    ("x{{/if}}", "1:2: This {{/if}} closes no condition"),
    ("{{else}}", "1:1: This {{else}} belongs to no condition"),
    ("{{#if text}}{{else}}{{else}}{{/if}}", "1:21: The condition already has an {{else}}"),
    ("{{#each text}}", "1:1: “#each” is unknown"),
    ("{{#if}}x{{/if}}", "1:1: A condition needs one variable"),
    ("{{#if a|b}}x{{/if}}", "1:1: Only variables can have words after |"),
  ])
  func `errors have positions`(source: String, expected: String) throws {
    let error = #expect(throws: ActionError.self) { try PromptTemplate(source) }
    #expect(error?.errorDescription?.hasPrefix(expected) == true, "\(String(describing: error))")
  }

  @Test func `all errors are found at once`() {
    let error = #expect(throws: ActionError.self) {
      try PromptTemplate("{{}}\n{{/if}}\n{{a b}}\n{{#if text}}")
    }
    guard case .template(let diagnostics)? = error else { return }
    #expect(diagnostics.map(\.line) == [1, 2, 3, 4])
  }

  @Test func `an unknown variable is reported with the nearest name, even in an unused branch`()
    throws
  {
    let template = try PromptTemplate("{{#if text}}a{{else}}{{txet}}{{/if}} {{targt_language}}")
    let diagnostics = template.unknownVariables(defined: [])
    #expect(diagnostics.map(\.column) == [22, 38])
    #expect(diagnostics[0].message.contains("“text”"))
    #expect(diagnostics[1].message.contains("“target_language”"))
    #expect(throws: ActionError.template(diagnostics)) { try template.rendered(with: Self.values) }
  }

  @Test func `a known variable without a value is an error where it is used`() throws {
    let template = try PromptTemplate("{{#if clipboard}}{{clipboard}}{{/if}}x")
    #expect(try template.rendered(with: Self.values) == "x")
    let needy = try PromptTemplate("{{clipboard}}")
    let error = #expect(throws: ActionError.self) { try needy.rendered(with: Self.values) }
    #expect(error?.errorDescription?.contains("{{clipboard|words}}") == true)
  }

  @Test func `values are never read as templates`() throws {
    let hostile = ActionInput(
      #"{{clipboard}} \{{ {{/if}} {{#if x}}"#, clipboard: "secret",
      variables: ["x": "{{clipboard}}"])
    let values = TemplateValues(hostile)
    let text = try PromptTemplate("{{text}}|{{x}}").rendered(with: values)
    #expect(text == hostile.text + "|{{clipboard}}")
  }

  @Test func `a preview shows the origin of each value`() throws {
    let template = try PromptTemplate(
      "To {{target_language}}\n{{#if empty}}no{{else}}{{tone}}{{/if}} {{app|x}} {{clipboard}} "
        + "{{who|y}}{{source_language|z}}")
    let preview = template.preview(with: Self.values)
    #expect(preview.text == "To English\nformal Mail  Annz")
    let found = preview.pieces.filter { $0.variable != nil }
    #expect(found.map(\.origin) == [.input, .action, .action, .missing, .input, .words])
    #expect(found[1].place == TextPosition(line: 2, column: 24))
    #expect(preview.conditions.map(\.isMet) == [false])
    #expect(preview.diagnostics.map(\.line) == [2])
  }

  @Test func `the depth of conditions is limited`() {
    let deep = String(repeating: "{{#if text}}", count: 33)
    let error = #expect(throws: ActionError.self) {
      try PromptTemplate(deep + String(repeating: "{{/if}}", count: 33))
    }
    guard case .template(let diagnostics)? = error else { return }
    #expect(diagnostics.count == 1)
  }
}

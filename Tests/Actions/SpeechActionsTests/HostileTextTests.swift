import Foundation
import TestSupport
import Testing

@testable import SpeechActions

/// Malformed files, templates and answers.
@Suite struct HostileTextTests {
  @Test func `any file is read without a crash, and a valid one can be written`() {
    var hostile = HostileBytes(
      [ConfigurationTextTests.example, ConfigurationText.head + "version = 1\n"],
      snippets: [
        "[", "]", "[[", "\"\"\"", "'''", "=", "\\", "\\u0041", "\\U00110000", "#", "\r\n", "\n",
        "{{", "}}", "1e999", "0x", "true", ".", ",", "\u{0}", "🙂", "version = 2",
      ], seed: 21)
    var readable = 0
    for _ in 0..<Endurance.count(full: 5_000, short: 500) {
      let text = String(decoding: hostile.next(), as: UTF8.self)
      let document = TOMLDocument(text)
      let lines = text.unicodeScalars.count { $0 == "\n" } + 1
      if document.diagnostics.contains(where: { !(1...lines).contains($0.line) || $0.column < 1 }) {
        Issue.record("an error has no position: \(document.diagnostics)")
      }
      guard document.diagnostics.isEmpty else { continue }
      // The tables cover the whole file, so an editor without changes returns it unchanged.
      if TOMLEditor(document).text != text && text.unicodeScalars.first != "\u{FEFF}" {
        Issue.record("the editor changed the file: \(text)")
      }
      guard let configuration = try? ConfigurationText.configuration(in: text) else { continue }
      readable += 1
      guard readable.isMultiple(of: 16) else { continue }
      guard let again = try? ConfigurationText.text(of: configuration),
        let same = try? ConfigurationText.configuration(in: again), same == configuration
      else {
        Issue.record("what was read cannot be written: \(text)")
        continue
      }
    }
    #expect(readable > 0)
  }

  @Test func `any template is read without a crash, and its preview equals the rendered text`() {
    var hostile = HostileBytes(
      TextAction.builtIn.map(\.prompt) + ["{{#if a}}{{b|c}}{{else}}\\{{x}}{{/if}}"],
      snippets: [
        "{{", "}}", "{{#if text}}", "{{else}}", "{{/if}}", "|", "\\", "{", "\n", "🙂", "{{text}}",
      ],
      seed: 22)
    let values = TemplateValues(ActionInput("{{text}} \\{{", targetLanguage: "x"))
    var good = 0
    for _ in 0..<Endurance.count(full: 5_000, short: 500) {
      let source = String(decoding: hostile.next(), as: UTF8.self)
      do throws(ActionError) {
        let template = try PromptTemplate(source)
        good += 1
        let preview = template.preview(with: values)
        guard preview.diagnostics.isEmpty else { continue }
        if try template.rendered(with: values) != preview.text { Issue.record("\(source)") }
      } catch {
        guard case .template(let diagnostics) = error, !diagnostics.isEmpty,
          diagnostics.allSatisfy({ $0.line >= 1 && $0.column >= 1 })
        else {
          Issue.record("\(source): \(error)")
          continue
        }
      }
    }
    #expect(good > 0)
  }

  @Test func `any answer is read without a crash`() {
    var hostile = HostileBytes.json(
      [
        #"{"corrected":"I am.","items":[{"original":"is","replacement":"am","reason":"x"}]}"#,
        #"{"pieces":[{"kind":"keep","text":"a"}]}"#, "# A\n- **b** _c_ `d` [e](f)\n```\ng\n```",
      ], seed: 23)
    for _ in 0..<Endurance.count(full: 2_000, short: 200) {
      let answer = String(decoding: hostile.next(), as: UTF8.self)
      _ = try? StructuredAnswer(answer, expected: .corrections, original: "x")
      _ = try? StructuredAnswer(answer, expected: .diff, original: "a")
      let ansi = Markdown(answer).ansi
      // Every escape starts a colour. Compares scalars, because a combining accent may follow it.
      let scalars = Array(ansi.unicodeScalars)
      for index in scalars.indices where scalars[index] == "\u{1B}" {
        let rest = scalars[(index + 1)...].drop { "[;0123456789".unicodeScalars.contains($0) }
        if rest.first != "m" { Issue.record("\(answer)") }
      }
      _ = AnswerCleanup.cleaned(answer)
    }
  }
}

import Foundation
import Testing

@testable import SpeechGrammar

@Suite struct CommandTemplateTests {
  private func problems(_ text: String) -> [GrammarDiagnostic] {
    do {
      _ = try CommandGrammar(template: text, file: "home.commands")
      return []
    } catch {
      return error.diagnostics
    }
  }

  @Test func `all errors are reported, each with its position`() {
    let found = problems(
      """
      turn on
      intent a:
        turn (on | off
        <poli> turn {state}
        /x/ turn
      intent a: go
      rule b: /2/
      slot c:
      slot d: number 5 to 3
      slot e: [the] kitchen
      language: xx
      intent f: go } on {
      intent g: go {what ever}
      intent h: go*100
      """)
    #expect(
      found.map(\.description) == [
        "home.commands:1:1: there is no heading above this line. Begin with one such as "
          + "“intent name:”.",
        "home.commands:3:17: found the end of the line where “)” is expected.",
        "home.commands:4:15: there are no values for {state}. Write “slot state:” with its values.",
        "home.commands:5:3: “/x/” is not a weight. Write a number such as /2.5/.",
        "home.commands:6:1: the intent a is written twice. Rename one of them, or join them.",
        "home.commands:7:12: found the end of the line where a word, a group, a rule or a slot is "
          + "expected.",
        "home.commands:8:1: there are no values for {c}. Write “slot c:” with its values.",
        "home.commands:9:1: “5 to 3” is no range within 0 and 999999.",
        "home.commands:10:8: found a value that is not plain words where a code, as in “-> code” "
          + "is expected.",
        "home.commands:11:1: there is no language “xx”. Write “language: en”.",
        "home.commands:12:14: found “}” where a word, a rule or a slot is expected.",
        "home.commands:13:14: found {what ever} where a slot such as {room} is expected.",
        "home.commands:14:13: up to 40 times can be counted.",
      ])
  }

  @Test func `an error of a section is reported at its heading`() {
    let found = problems(
      """
      intent a: x <b>
      rule b:
        <b> y
        z
      intent c:
      """)
    #expect(
      found.map(\.description)
        == [
          "home.commands:2:1: the rule <b> leads back to itself before its end. Repeat with * or + "
            + "instead.",
          "home.commands:5:1: the intent c has no sentence that can be completed.",
        ].reversed().sorted())
  }

  @Test func `undefined rules are reported where they are used`() {
    #expect(
      problems("intent a: x <b> <c>").map(\.description) == [
        "home.commands:1:13: there is no rule <b>. Write it, or correct the name.",
        "home.commands:1:17: there is no rule <c>. Write it, or correct the name.",
      ])
  }

  @Test func `punctuation is ignored`() throws {
    let grammar = try CommandGrammar(template: "intent a: Please, what's the time?\n")
    #expect(try grammar.sentences(limit: 5) == ["Please what's the time"])
  }

  @Test func `values keep their weights and codes`() throws {
    let grammar = try CommandGrammar(
      template: """
        intent a: go {x}
        slot x:
          /2/ one | three
          /4/ two -> 2   # a comment
          (big | large) [old] house -> house
        """)
    guard case .sequence(let parts) = grammar.intents[0].phrase,
      case .slot("x", .values(let values)) = parts[1]
    else {
      Issue.record("no slot")
      return
    }
    #expect(values.map(\.code) == ["one", "three", "2", "house"])
    #expect(values.map(\.weight) == [2, nil, 4, nil])
    #expect(try grammar.sentenceCount() == .exactly(7))
  }

  @Test func `half a million alternatives are rejected with a reason`() throws {
    let text = "intent a: " + String(repeating: "a|", count: 500_000) + "b"
    let error = #expect(throws: CommandGrammarError.self) { try CommandGrammar(template: text) }
    #expect(error?.diagnostics.map(\.kind.isTooLarge) == [true])
    #expect(error?.diagnostics.first?.position == TextPosition(line: 1, column: 1))
    let million = text + text
    #expect(problems(million).map(\.kind) == [.tooLarge("it is larger than a megabyte")])
    let deep = String(repeating: "(", count: 100_000) + "a" + String(repeating: ")", count: 100_000)
    #expect(problems("intent a: " + deep).first?.kind.isTooLarge == true)
  }

  @Test func `the extension of a file determines its format`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let templates = folder.appendingPathComponent("home.commands")
    try Data(Home.template.utf8).write(to: templates)
    #expect(try CommandGrammar(contentsOf: templates) == Home.grammar)
    let jsgf = folder.appendingPathComponent("light.gram")
    try Data("#JSGF V1.0; grammar g; public <light> = on {1} | off {0};".utf8).write(to: jsgf)
    let matcher = try CommandMatcher(CommandGrammar(contentsOf: jsgf))
    #expect(matcher.match("off")?.tags == ["0"])
    try Data("#JSGF V1.0; grammar g;\npublic <light> = (on".utf8).write(to: jsgf)
    let error = #expect(throws: CommandGrammarError.self) {
      try CommandGrammar(contentsOf: jsgf)
    }
    #expect(
      error?.localizedDescription
        == "light.gram:2:21: found the end of the text where “)” is expected."
    )
    let missing = #expect(throws: CommandGrammarError.self) {
      try CommandGrammar(contentsOf: folder.appendingPathComponent("none.commands"))
    }
    #expect(missing?.localizedDescription.hasPrefix("none.commands: ") == true)
  }
}

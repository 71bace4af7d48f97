import Foundation
import TestSupport
import Testing

@testable import SpeechLab

struct TestedGrammarTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "speechkit-grammars-\(UUID().uuidString)", directoryHint: .isDirectory)

  private func file(_ name: String, _ text: String) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: name))
    return folder.appending(path: name)
  }

  @Test(arguments: ["g.gram", "g.jsgf", "g.txt"])
  func `JSGF is read from files of any name`(name: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try file(name, "#JSGF V1.0; grammar g; public <light> = lights (on | off);")
    let grammar = try TestedGrammar(contentsOf: url)
    #expect(grammar.matcher.match("lights off")?.intent == "light")
    #expect(grammar.search == .grammarFile(url))
  }

  @Test(arguments: [
    ("a.gram", "#JSGF V1.0;\ngrammar g;\npublic <a> = (on;", ["a.gram:3:17: "]),
    (
      "a.commands", "intent a: x <polite> {room}\nintent b: (x\n",
      ["a.commands:1:22: ", "a.commands:2:13: "]
    ), ("b.commands", "", ["b.commands: "]),
  ])
  func `errors are reported once, with file, line and column`(
    name: String, text: String, places: [String]
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try file(name, text)
    let error = #expect(throws: GrammarFileError.self) { try TestedGrammar(contentsOf: url) }
    let lines = error?.localizedDescription.split(separator: "\n") ?? []
    #expect(lines.count == places.count, "\(lines)")
    for (line, place) in zip(lines, places) {
      #expect(line.hasPrefix(place), "\(line)")
      #expect(line.ranges(of: name).count == 1)
    }
  }

  @Test func `a recogniser names the file of a grammar error, and that of an unknown word`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try file("rooms.gram", "#JSGF V1.0;\ngrammar rooms;\npublic <room> = hall | \"!!\";")
    for (name, text, place) in [
      ("a.gram", "#JSGF V1.0;\ngrammar g;\npublic <a> = (on;", "“a.gram”, line 3, column 17"),
      (
        "b.gram", "#JSGF V1.0;\ngrammar g;\nimport <rooms.room>;\npublic <a> = <room>;",
        "“rooms.gram”, line 3"
      ),
    ] {
      let url = try file(name, text)
      let error = #expect(throws: SpeechRecognitionError.self) {
        try PocketSphinxDecoder(
          configuration: PocketSphinxConfiguration(search: .grammarFile(url)),
          locale: Locale(identifier: "en-US"))
      }
      let message = error?.localizedDescription ?? ""
      #expect(message.contains(place), "\(message)")
      #expect(message.ranges(of: ".gram").count == 1, "\(message)")
    }
  }

  @Test func `a summary lists the contents of a grammar`() throws {
    let grammar = try TestedGrammar(
      CommandGrammar(
        template: """
          grammar: home
          intent a: [<polite>] turn {state} the kubernetes light
          intent b: level {step: number 1 to 3}
          rule polite: please | would you [kindly]
          slot state:
            on
            off -> aus
          """))
    let summary = try GrammarSummary(grammar)
    #expect(summary.name == "home")
    #expect(summary.intents == ["a", "b"])
    #expect(summary.slots.map(\.name) == ["state", "step"])
    #expect(summary.slots.map(\.values) == [["on", "aus"], []])
    #expect(summary.slots[1].type == "number 1 to 3")
    #expect(summary.sentences == "11")
    #expect(summary.wordCount == 14)
    #expect(summary.madeWords.map(\.word) == ["kubernetes"])
    #expect(!summary.madeWords[0].pronunciations.isEmpty)
    #expect(summary.depth > 3)
    #expect(summary.text.contains("slot       {state} on, aus\n"))
  }

  @Test func `a list of recordings is read, and other text is rejected`() throws {
    let folder = URL(filePath: "/sounds", directoryHint: .isDirectory)
    let entries = try RecordingEntry.list(
      "# all\na.wav\tTurn on  the light\r\n\n  \nb/c d.wav\t\n", in: folder)
    #expect(entries.map(\.file.path) == ["/sounds/a.wav", "/sounds/b/c d.wav"])
    #expect(entries.map(\.expected) == ["turn on the light", ""])
    #expect(throws: RecordingEntry.ListError(line: 2)) {
      try RecordingEntry.list("a\tb\na.wav turn", in: folder)
    }
    #expect(throws: RecordingEntry.ListError(line: 1)) {
      try RecordingEntry.list("\tx", in: folder)
    }
  }

  @Test func `no input crashes the reader of lists`() throws {
    var bytes = HostileBytes(
      ["a.wav\tturn on\nb.wav\t\n# x\n", "\u{FEFF}ä\tß\r\n"],
      snippets: ["\t", "\n", "#", "/", "\r"],
      seed: 21)
    let folder = URL(filePath: "/x", directoryHint: .isDirectory)
    for _ in 0..<Endurance.count(full: 2_000, short: 200) {
      let text = String(decoding: bytes.next(), as: UTF8.self)
      guard let entries = try? RecordingEntry.list(text, in: folder) else { continue }
      #expect(entries.count <= text.count)
    }
  }

  @Test func `recordings are recognised, matched and compared`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let grammar = try TestedGrammar(
      CommandGrammar(
        template:
          "intent light: turn {state: state} the light\nintent d: open the door\nslot state: on | off"
      ))
    let url = try file("a.wav", "")
    try AudioFile.write(try await Speaker(.flite, voice: "rms").say("turn off the light"), to: url)
    let results = try await grammar.recognise([
      RecordingEntry(url, expected: "Turn off the light"), RecordingEntry(url, expected: ""),
      RecordingEntry(url),
    ])
    #expect(results.map(\.isRight) == [true, false, nil])
    #expect(results[0].utterances[0].intent == "light")
    #expect(results[0].utterances[0].slots == [.init(name: "state", text: "off", code: "off")])
    let strict = try await grammar.recognise([RecordingEntry(url, expected: "")], threshold: 1.1)
    #expect(strict[0].isRight == true)
  }
}

import SpeechTesting

/// `speechkit grammar test`: what a grammar makes of recordings.
struct TestGrammarCommand: Command {
  static let declaration = CommandDeclaration(
    name: "grammar test",
    summary: "Recognise recordings with a grammar, and compare",
    discussion: [
      "For each recording a line with the file, whether it is right, what was heard, the intent, the slots and "
        + "the confidence, with tabs between them. Where a text is expected, the number of right recordings "
        + "comes last, on standard error.",
      "What is expected is said with --expect for all recordings, or in a list with --manifest: a line for each "
        + "recording with its file, a tab and the text, which is empty where nothing should be heard. Files "
        + "are looked for beside the list.",
      "With --json an array of objects with “file”, “expected”, “right” and “utterances” (“text”, “intent”, "
        + "“slots”, “confidence”).",
    ],
    positionals: [
      GrammarCommands.file,
      .init(
        name: "RECORDING", count: .zeroOrMore, help: "Sound files; none with --manifest."
      ),
    ],
    options: [
      expect.declaration, manifest.declaration, threshold.declaration,
      RecognitionOptions.preset.declaration, GrammarCommands.json.declaration,
    ],
    examples: [
      .init("speechkit grammar test home.commands light.wav", "What is heard?"),
      .init(
        "speechkit grammar test home.commands *.wav --expect \"turn on the light\"",
        "Is it always heard?"),
      .init("speechkit grammar test home.commands --manifest all.tsv", "In continuous integration"),
    ],
    exits: [
      (.different, "In a recording something else was heard than expected."),
      (.badData, "The grammar, the list or a recording cannot be used."),
      (.noInput, "A file is missing or must not be read."),
      (.unavailable, "There is no model for English."),
    ])

  static let expect = ValueOption<String>(
    "expect", value: "TEXT", help: "What should be heard; empty for nothing."
  ) { text throws(UsageError) in text }
  static let manifest = ValueOption<String>(
    "manifest", value: "FILE", help: "A list of recordings and what should be heard in each.",
    hint: .input)
  static let threshold = ValueOption<Double>(
    "threshold", value: "NUMBER", in: 0...1,
    help: "What is heard with less confidence counts as nothing; 0 unless given.")

  private struct Row: Encodable {
    var file: String
    var expected: String?
    var right: Bool?
    var utterances: [RecordedCommand.Utterance]
  }

  private let grammar: String
  private let recordings: [String]
  private let expected: String?
  private let manifest: String?
  private let threshold: Float
  private let preset: PocketSphinxPreset
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    grammar = arguments.positionals[0]
    recordings = Array(arguments.positionals.dropFirst())
    expected = arguments[Self.expect]
    manifest = arguments[Self.manifest]
    threshold = Float(arguments[Self.threshold] ?? 0)
    preset = arguments[RecognitionOptions.preset] ?? .balanced
    isJSON = arguments[GrammarCommands.json]
    guard manifest == nil || (recordings.isEmpty && expected == nil) else {
      throw UsageError("--manifest names the recordings and texts; give no others.")
    }
    guard manifest != nil || !recordings.isEmpty else { throw UsageError("RECORDING is missing") }
  }

  func run(on terminal: Terminal) async throws {
    let tested = try await GrammarCommands.load(grammar)
    let entries = try await self.entries()
    try GrammarCommands.checkModel()
    let bar = ProgressBar(title: "\(entries.count) recordings")
    let results = try await tested.recognise(entries, preset: preset, threshold: threshold) {
      await terminal.showStatus(bar.text($0))
    }
    await terminal.showStatus("")
    if isJSON {
      try await terminal.writeJSON(
        results.map {
          Row(
            file: $0.file, expected: $0.expected, right: $0.isRight, utterances: $0.utterances)
        })
    } else {
      for result in results { try await terminal.writeLine(Self.line(result)) }
    }
    let judged = results.compactMap(\.isRight)
    guard !judged.isEmpty else { return }
    let right = judged.count { $0 }
    await terminal.note("\(right) of \(judged.count) right")
    if right < judged.count { throw CommandFailure(.different) }
  }

  private func entries() async throws -> [RecordingEntry] {
    guard let manifest else {
      return recordings.map { RecordingEntry(URL(filePath: $0), expected: expected) }
    }
    let text = try await TextInput().read(path: manifest)
    do {
      return try RecordingEntry.list(
        text, in: URL(filePath: manifest).deletingLastPathComponent())
    } catch {
      throw CommandFailure(.badData, "“\(manifest)”: \(error.localizedDescription)")
    }
  }

  private static func line(_ result: RecordedCommand) -> String {
    let verdict = result.isRight.map { $0 ? "right" : "wrong" } ?? "-"
    let intents = result.utterances.map { $0.intent ?? "-" }.joined(separator: " ")
    let slots = result.utterances.flatMap(\.slots).map { "\($0.name)=\($0.code ?? $0.text)" }
    let confidence =
      result.utterances.map(\.confidence).min()
      .map { String(format: "%.2f", $0) } ?? "-"
    return [
      result.file, verdict, result.text, intents.isEmpty ? "-" : intents,
      slots.isEmpty ? "-" : slots.joined(separator: ", "), confidence,
    ].joined(separator: "\t")
  }
}

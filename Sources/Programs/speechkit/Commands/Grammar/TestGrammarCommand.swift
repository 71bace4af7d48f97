import SpeechTesting

/// `speechkit grammar test`: what a grammar makes of recordings.
struct TestGrammarCommand: ReflectedCommand {
  static let about = CommandDeclaration(
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

  @Argument("FILE", .input, help: "The grammar, .commands, .jsgf or .gram.") var grammar: String
  @Argument("RECORDING", .input, isRequired: false, help: "Sound files; none with --manifest.")
  var recordings: [String]
  @Option(
    "--expect", as: .init("TEXT") { text, _ throws(UsageError) in text },
    help: "What should be heard; empty for nothing.")
  var expected: String?
  @Option(
    "--manifest", as: .text("FILE", .input),
    help: "A list of recordings and what should be heard in each.")
  var manifest: String?
  @Option(
    "--threshold", as: .number("NUMBER", in: 0...1),
    help: "What is heard with less confidence counts as nothing; 0 unless given.")
  var threshold = 0.0
  var recognition = RecogniserOptions()
  @Flag("--json", help: "Write JSON.") var isJSON

  func validate() throws {
    guard manifest == nil || (recordings.isEmpty && expected == nil) else {
      throw UsageError("--manifest names the recordings and texts; give no others.")
    }
    guard manifest != nil || !recordings.isEmpty else { throw UsageError("RECORDING is missing") }
  }

  private struct Row: Encodable {
    var file: String
    var expected: String?
    var right: Bool?
    var utterances: [RecordedCommand.Utterance]
  }

  func run(on terminal: Terminal) async throws {
    let tested = try await GrammarCommands.load(grammar)
    let entries = try await self.entries()
    try GrammarCommands.checkModel()
    let bar = ProgressBar(title: "\(entries.count) recordings")
    let results = try await tested.recognise(
      entries, recogniser: try recognition.name().text, threshold: Float(threshold)
    ) {
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

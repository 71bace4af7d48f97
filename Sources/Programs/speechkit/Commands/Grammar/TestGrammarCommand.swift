import SpeechCommand
import SpeechTesting

struct TestGrammarCommand: Command {
  static let about = CommandDeclaration(
    name: "grammar test",
    summary: "Recognise recordings with a grammar, and compare",
    discussion: """
      For each recording the command prints a line with the file, the verdict, the recognised text,
      the intent, the slots and the confidence, separated by tabs. If texts are expected, the number
      of right recordings follows on standard error.

      --expect gives the text for all recordings. --manifest names a list with a line for each
      recording: its file, a tab and the text, which is empty if nothing should be heard. Paths in
      the list are relative to the list.

      --json writes an array of objects with “file”, “expected”, “right” and “utterances” (“text”,
      “intent”, “slots”, “confidence”).
      """,
    examples: [
      "speechkit grammar test home.commands light.wav": "Print what is recognised",
      "speechkit grammar test home.commands *.wav --expect \"turn on the light\"":
        "Check that it is always recognised",
      "speechkit grammar test home.commands --manifest all.tsv": "Run in continuous integration",
    ],
    exits: [
      .different: "A recording was not recognised as expected.",
      .badData: "The grammar, the list or a recording cannot be used.",
      .noInput: "A file is missing or cannot be read.",
      .unavailable: "There is no model for English.",
    ])

  @Argument("FILE", .input, help: "The grammar, .commands, .jsgf or .gram.") var grammar: String
  @Argument("RECORDING", .input, isRequired: false, help: "Audio files; none with --manifest.")
  var recordings: [String]
  @Option(
    "--expect", as: .init("TEXT") { text, _ in text },
    help: "The expected text; empty for silence.")
  var expected: String?
  @Option(
    "--manifest", as: .text("FILE", .input), help: "A list of recordings and their expected texts.")
  var manifest: String?
  @Option(
    "--threshold", as: .number("NUMBER", in: 0...1),
    help: "The least confidence; results below it count as nothing. Default: 0.")
  var threshold = 0.0
  var recognition = RecogniserOptions()
  @Flag("--json", help: "Write JSON.") var isJSON

  func validate() throws {
    guard manifest == nil || (recordings.isEmpty && expected == nil) else {
      throw UsageError("--manifest names the recordings and texts. Do not name others.")
    }
    guard manifest != nil || !recordings.isEmpty else { throw UsageError("RECORDING is missing") }
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
    let records = results.map { result -> JSONRecord in
      [
        "file": result.file, "expected": result.expected, "right": result.isRight,
        "utterances": result.utterances,
      ]
    }
    let lines = results.map { Self.line($0) + "\n" }.joined()
    try await terminal.write(lines, json: records, isJSON: isJSON)
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
    return try await RecordingEntry.list(path: manifest)
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

extension RecordingEntry {
  /// Reads a list of recordings, whose files are relative to its folder.
  static func list(path: String) async throws -> [RecordingEntry] {
    let text = try await TextInput().read(path: path)
    do {
      return try list(text, in: URL(filePath: path).deletingLastPathComponent())
    } catch {
      throw CommandFailure(.badData, "“\(path)”: \(error.localizedDescription)")
    }
  }
}

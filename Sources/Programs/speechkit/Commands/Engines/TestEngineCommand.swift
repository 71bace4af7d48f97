import SpeechCommand
import SpeechKit

struct TestEngineCommand: Command {
  static let about = CommandDeclaration(
    name: "engines test",
    summary: "Check that a recogniser loads and understands a sentence",
    discussion: """
      Loads the recogniser, lets a local voice speak a sentence, and compares what is recognised.
      Nothing is played.

      --json writes an object with “name”, “loadTime”, “duration” of the sentence and “time” until
      it was recognised, in seconds, “spoken”, “recognised” and “isRight”.
      """,
    examples: [
      "speechkit engines test whisper:tiny.en": "Test an installed model",
      "speechkit engines test whisper:/data/ggml-base.bin": "Test a model file",
    ],
    exits: [
      .different: "It recognised other words than were spoken.",
      .badData: "The model or the library is damaged or not supported.",
      .unavailable: "The model or the library is not installed.",
    ])

  /// A sentence without numbers and names, which have several spellings.
  private static let sentence = "Where is the nearest railway station?"
  private static let english = Locale(identifier: "en-US")

  @Argument(
    "NAME", .choices(SpeechCatalog.current.recogniserNames),
    help: "The recogniser, as for --recogniser.")
  var name: String
  @Flag("--json", help: "Write JSON.") var isJSON

  func validate() throws { _ = try backend }

  private var backend: BackendName {
    get throws(UsageError) { try BackendName(recogniser: name, in: .current) }
  }

  func run(on terminal: Terminal) async throws {
    let recogniser = try SpeechCatalog.current.recogniser(try backend)
    try await recogniser.check(locale: Self.english)
    let spoken = try await VoiceEntry.flite.voice().render(Self.sentence)
    let transcriber = recogniser.makeTranscriber(locale: Self.english)
    let start = ContinuousClock.now
    try await transcriber.prepare()
    let loaded = ContinuousClock.now
    let heard = try await transcriber.transcribe(spoken).text
    let end = ContinuousClock.now
    let isRight = Self.words(heard) == Self.words(Self.sentence)
    let (loading, decoding) = (start.duration(to: loaded), loaded.duration(to: end))
    let record: JSONRecord = [
      "name": recogniser.name.description, "loadTime": loading / .seconds(1),
      "duration": spoken.duration / .seconds(1), "time": decoding / .seconds(1),
      "spoken": Self.sentence, "recognised": heard, "isRight": isRight,
    ]
    try await terminal.write(
      """
      \(recogniser.name) loaded in \(loading.brief).
      spoken      \(Self.sentence)
      recognised  \(heard)
      \(spoken.duration.brief) of speech took \(decoding.brief).

      """, json: record, isJSON: isJSON)
    guard isRight else {
      throw CommandFailure(
        .different,
        "\(recogniser.name) recognised other words than were spoken. Try a larger model, or remove "
          + "and add it again.")
    }
  }

  /// The letters of each word.
  private static func words(_ text: String) -> [String] {
    text.lowercased().split(whereSeparator: { !$0.isLetter }).map(String.init)
  }
}

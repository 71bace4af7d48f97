import Foundation
import Observation
import SpeechKit

/// `speechkit listen`: writes down what is being said.
struct ListenCommand: Command {
  static let about = CommandDeclaration(
    name: "listen",
    summary: "Write down what is being said",
    discussion: """
      Listens to the microphone and writes a line per utterance, until Ctrl-C. On a terminal the
      words are shown while they are spoken.

      With --accept, what is not believed to be a sentence of the grammar is not written; a note
      says so on standard error.

      With --json each line is an object with “text”, “isFinal”, “confidence”, “timestamp” (seconds
      since 1970), “utterance”, and for final results “words” (“text”, “start”, “end”, “confidence”)
      and “alternatives” (“text”, “confidence”). Times of words are in seconds since listening
      began. What is rejected is a line with “rejected” true, the nearest sentence as “text” with
      its “confidence”, “start” and “end”, and no “isFinal”. A key phrase that was heard is
      “keyPhrase”, with “text”, “start”, “end” and “confidence”.

      With --keyphrase and --grammar or --dictate the phrase wakes the recogniser for one command,
      which is said in the same breath or soon after; then the phrase is waited for again. Without
      --json only commands are written. With --grammar what is none of its sentences is rejected,
      unless --accept says otherwise.
      """,
    examples: [
      .init("speechkit listen", "Take dictation"),
      .init("speechkit listen --grammar orders.gram --once", "Wait for one order"),
      .init(
        "speechkit listen --grammar orders.gram --accept recommended", "Ignore what is no order"),
      .init(
        "speechkit listen --keyphrase \"hey computer\" --once && lights on", "Wait for a phrase"),
      .init(
        "speechkit listen --keyphrase computer --grammar lights.gram", "Commands behind a wake word"
      ),
      .init(
        "speechkit listen --recogniser openai:gpt-4o-mini-transcribe", "Let a service transcribe"),
      .init("speechkit listen --json | jq -r 'select(.isFinal).text'", "Feed a program"),
    ],
    exits: [
      (.badData, "The grammar, a key phrase or the sound file is broken."),
      (.noInput, "The grammar or the sound file is missing."),
      (.unavailable, "There is no microphone, or no model for the language."),
    ])

  var recognition = RecognitionOptions()
  @Option(
    "--silence", "-s", as: .number("SECONDS", in: 0.1...10),
    help: "The silence that ends an utterance. Default: 0.8.")
  var silence: Double?
  @Flag("--once", "-1", help: "End after the first utterance.") var isOnce
  @Flag("--json", help: "Write one JSON object per line, also while words are spoken.") var isJSON
  @Option(
    "--device", "-d", as: .text("DEVICE"),
    help: "The microphone: its name or number. See `speechkit devices`.")
  var device: String?
  @Option(
    "--file", as: .text("FILE", .input), help: "Hear an audio file instead of the microphone.")
  var file: String?

  func validate() throws {
    guard file == nil || device == nil else { throw UsageError("Give either --file or --device.") }
  }

  private var input: any AudioInput {
    if let file { return AudioFileInput(URL(filePath: file)) }
    return PortAudioMicrophone(device: AudioDeviceSelector(device ?? ""))
  }

  func run(on terminal: Terminal) async throws {
    var segmenter = SpeechSegmenterConfiguration()
    if let silence { segmenter.maximumSilence = .seconds(silence) }
    let engine = SpeechRecognitionEngine(
      provider: try await recognition.recogniser().makeProvider(
        input: input, segmenter: segmenter))
    let results = engine.results
    let rejections = engine.rejections
    try await start(engine)
    await terminal.showStatus("Listening. Ctrl-C ends.")
    engine.noteFailures(on: terminal)
    // A task of its own, because what was said before Ctrl-C is still to be printed.
    let printing = Task {
      defer { engine.stopListening() }
      return try await print(results, on: terminal)
    }
    let noting = Task { try await print(rejections, on: terminal) }
    let wasHeard = try await withTaskCancellationHandler {
      defer { if isOnce { noting.cancel() } }
      return try await printing.value
    } onCancel: {
      Task { @MainActor in engine.stopListening() }
    }
    try await noting.value
    try Task.checkCancellation()
    if let error = engine.error, !(isOnce && wasHeard) { throw error }
    guard wasHeard || !isOnce else {
      throw CommandFailure(.badData, "The sound ended before anything was understood.")
    }
  }

  private func start(_ engine: SpeechRecognitionEngine) async throws {
    do {
      try await engine.startListening(locale: recognition.locale)
    } catch SpeechRecognitionError.audioEngineError(let message) {
      // The input's own error tells a missing file from a missing device, and so does the exit code.
      try await input.open().stop()
      throw SpeechRecognitionError.audioEngineError(message)
    }
  }

  /// - Returns: whether there was a final result.
  private func print(
    _ results: AsyncStream<SpeechRecognitionResult>, on terminal: Terminal
  ) async throws -> Bool {
    var wasHeard = false
    for await result in results {
      // The phrase is there to wake; what is written is what was wanted.
      let isWaking = recognition.hasWakeWord && result.keyPhrase != nil
      await terminal.showStatus(result.isFinal && !isWaking ? "" : result.text)
      if isJSON {
        try await terminal.writeJSON(ResultLine(result))
      } else if result.isFinal, !isWaking {
        try await terminal.writeLine(result.text)
      }
      if result.isFinal, !isWaking {
        wasHeard = true
        if isOnce { break }
      }
    }
    return wasHeard
  }
}

extension ListenCommand {
  private func print(
    _ rejections: AsyncStream<RejectedUtterance>, on terminal: Terminal
  ) async throws {
    for await rejected in rejections {
      await terminal.showStatus("")
      if isJSON {
        try await terminal.writeJSON(RejectionLine(rejected))
      } else {
        await terminal.note("speechkit: \(rejected.summary)")
      }
    }
  }
}

/// A rejected utterance as `--json` writes it.
private struct RejectionLine: Encodable {
  var rejected = true
  var text: String
  var confidence: Float
  var timestamp: TimeInterval
  var utterance: UUID
  var start: TimeInterval
  var end: TimeInterval

  init(_ utterance: RejectedUtterance) {
    text = utterance.nearest.text
    confidence = utterance.nearest.confidence
    timestamp = utterance.nearest.timestamp.timeIntervalSince1970
    self.utterance = utterance.nearest.utteranceID
    start = utterance.start
    end = utterance.end
  }
}

extension RejectedUtterance {
  /// What is said of it to a person.
  var summary: String {
    let place = String(format: "Rejected what was said from %.1f to %.1f s", start, end)
    guard !nearest.text.isEmpty else { return place + ": nothing of the grammar is like it." }
    let confidence = String(format: "%.2f", nearest.confidence)
    return "\(place): nearest is “\(nearest.text)”, confidence \(confidence)."
  }
}

/// A result as `--json` writes it.
private struct ResultLine: Encodable {
  var text: String
  var isFinal: Bool
  var confidence: Float
  var timestamp: TimeInterval
  var utterance: UUID
  var words: [RecognizedWord]?
  var alternatives: [RecognitionAlternative]?
  var keyPhrase: RecognizedWord?

  init(_ result: SpeechRecognitionResult) {
    text = result.text
    isFinal = result.isFinal
    confidence = result.confidence
    timestamp = result.timestamp.timeIntervalSince1970
    utterance = result.utteranceID
    words = result.isFinal ? result.words : nil
    alternatives = result.isFinal ? result.alternatives : nil
    keyPhrase = result.keyPhrase
  }
}

extension SpeechRecognitionEngine {
  /// Tells the person when the device goes away, and when it is back.
  fileprivate func noteFailures(on terminal: Terminal, last: SpeechRecognitionError? = nil) {
    let current = error
    if current != last, isListening {
      let message = current?.localizedDescription ?? "The microphone is back."
      Task { await terminal.noteFailure(message) }
    }
    withObservationTracking {
      _ = error
    } onChange: { [weak self] in
      // Called before the change: look again when it has been made.
      Task { @MainActor in self?.noteFailures(on: terminal, last: current) }
    }
  }
}

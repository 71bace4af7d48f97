import SpeechCommand
import SpeechKit

struct ListenCommand: Command {
  static let about = CommandDeclaration(
    name: "listen",
    summary: "Transcribe the microphone",
    discussion: """
      Transcribes the microphone, one line per utterance, until Ctrl-C. A terminal shows the words
      while they are spoken.

      With --grammar, other speech is not written. A line on standard error reports each rejected
      utterance, with the nearest sentence. --accept off writes it instead.

      --json writes one object per line with “text”, “isFinal”, “confidence”, “timestamp” (seconds
      since 1970), “utterance”, for partial results of some recognisers “stable” (the beginning of
      the text that does not change any more), and for final results “words” (“text”, “start”,
      “end”, “confidence”) and “alternatives” (“text”, “confidence”). Times of words are in seconds
      since listening began. A rejected utterance has “rejected” true, the nearest sentence as
      “text” with its “confidence”, “start” and “end”, and no “isFinal”. A recognised key phrase is
      “keyPhrase”, with “text”, “start”, “end” and “confidence”.

      --keyphrase with --grammar or --dictate makes the phrase wake the recogniser for one command,
      in the same breath or soon after; then it waits for the phrase again. Without --json only
      commands are written. --spotter names an engine that waits for the phrase instead, such as
      openWakeWord.
      """,
    examples: [
      "speechkit listen": "Take dictation",
      "speechkit listen --grammar orders.gram --once": "Wait for one order",
      "speechkit listen --grammar orders.gram --accept off": "Take any speech for an order",
      "speechkit listen --keyphrase \"hey computer\" --once && lights on": "Wait for a phrase",
      "speechkit listen --keyphrase computer --grammar lights.gram":
        "Recognise commands after a wake word",
      "speechkit listen -k \"okay nabu\" --spotter wyoming:localhost:10400 -g lights.gram":
        "Wait for it with openWakeWord",
      "speechkit listen --recogniser openai:gpt-4o-mini-transcribe": "Let a service transcribe",
      "speechkit listen --recogniser openai-live:gpt-4o-transcribe": "Send speech as it is spoken",
      "speechkit listen --json | jq -r 'select(.isFinal).text'": "Pass the text to a program",
    ],
    exits: [
      .badData:
        "The grammar, a key phrase or the audio file is not valid, or with --once nothing was "
        + "recognised: a rejected utterance does not count.",
      .noInput: "The grammar or the audio file is missing.",
      .unavailable: "There is no microphone, or no model for the language.",
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
      provider: try await recognition.recogniser(on: terminal).makeProvider(
        input: input, segmenter: segmenter))
    let results = engine.results
    let rejections = engine.rejections
    try await start(engine)
    await terminal.showStatus("Listening. Ctrl-C ends.")
    engine.noteFailures(on: terminal)
    // A separate task, because the words before Ctrl-C are still to be printed.
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
      throw CommandFailure(.badData, "The audio ended before anything was recognised.")
    }
  }

  private func start(_ engine: SpeechRecognitionEngine) async throws {
    do {
      try await engine.startListening(locale: recognition.locale)
    } catch SpeechRecognitionError.audioEngineError(let message) {
      // The input's own error distinguishes a missing file from a missing device, and so does the
      // exit code.
      try await input.open().stop()
      throw SpeechRecognitionError.audioEngineError(message)
    }
  }

  /// - Returns: True if there was a final result.
  private func print(
    _ results: AsyncStream<SpeechRecognitionResult>, on terminal: Terminal
  ) async throws -> Bool {
    var wasHeard = false
    for await result in results {
      // The phrase only wakes the recogniser; the command is written.
      let isWaking = recognition.hasWakeWord && result.keyPhrase != nil
      await terminal.showStatus(result.isFinal && !isWaking ? "" : result.text)
      if isJSON {
        try await terminal.writeJSON(Self.record(result))
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

  private func print(
    _ rejections: AsyncStream<RejectedUtterance>, on terminal: Terminal
  ) async throws {
    for await rejected in rejections {
      await terminal.showStatus("")
      if let failure = rejected.failure {
        await terminal.noteFailure(failure.localizedDescription)
      }
      if isJSON {
        try await terminal.writeJSON(Self.record(rejected))
      } else {
        await terminal.note(
          "speechkit: \(rejected.summary(isDictated: recognition.isDictated))")
      }
    }
  }

  private static func record(_ result: SpeechRecognitionResult) -> JSONRecord {
    [
      "text": result.text, "isFinal": result.isFinal, "confidence": result.confidence,
      "stable": result.stableText, "timestamp": result.timestamp.timeIntervalSince1970,
      "utterance": result.utteranceID, "words": result.isFinal ? result.words : nil,
      "alternatives": result.isFinal ? result.alternatives : nil, "keyPhrase": result.keyPhrase,
    ]
  }

  private static func record(_ rejected: RejectedUtterance) -> JSONRecord {
    [
      "rejected": true, "text": rejected.nearest.text, "confidence": rejected.nearest.confidence,
      "timestamp": rejected.nearest.timestamp.timeIntervalSince1970,
      "utterance": rejected.nearest.utteranceID, "start": rejected.start, "end": rejected.end,
    ]
  }
}

extension RejectedUtterance {
  /// A description of the rejection for the user.
  ///
  /// - Parameter isDictated: true if a further recogniser read it, which excludes `--accept off`.
  func summary(isDictated: Bool) -> String {
    let place = String(format: "Rejected what was said from %.1f to %.1f s", start, end)
    guard !nearest.text.isEmpty else { return place + ": no sentence of the grammar is like it." }
    let confidence = String(format: "%.2f", nearest.confidence)
    return "\(place): nearest is “\(nearest.text)”, confidence \(confidence)."
      + (isDictated ? "" : " --accept off accepts it.")
  }
}

extension SpeechRecognitionEngine {
  /// Reports when the device is lost, and when it is back.
  fileprivate func noteFailures(on terminal: Terminal, last: SpeechRecognitionError? = nil) {
    let current = error
    if current != last, isListening {
      let message = current?.localizedDescription ?? "The microphone is back."
      Task { await terminal.noteFailure(message) }
    }
    withObservationTracking {
      _ = error
    } onChange: { [weak self] in
      // Called before the change, so the new value is read after it.
      Task { @MainActor in self?.noteFailures(on: terminal, last: current) }
    }
  }
}

import Foundation

extension SpeechDiagnostics {
  /// The sentence of the round trip.
  private static let sentence = "go forward ten meters"
  private static let grammar =
    "#JSGF V1.0; grammar check; public <move> = go (forward | backward) (one | two | ten) meters;"
  private static let english = Locale(identifier: "en-US")

  /// Checks of the catalogue's recognisers. The first one has to work; others are optional. A
  /// service is not called: only its key is looked up.
  static var recognition: [Check] {
    SpeechCatalog.current.recognisers.enumerated().flatMap { index, entry -> [Check] in
      func check(
        _ part: String, _ title: String, _ look: @escaping @Sendable () async throws -> String
      ) -> Check {
        Check(
          part: (index == 0 ? "recognition" : "recognition.\(entry.name)") + part, title: title,
          severity: index == 0 ? .failure : .warning, remedy: entry.remedy, look: look)
      }
      let title = "Recogniser \(entry.displayName)"
      guard entry.isLocal else {
        let key = check("", title) {
          try await access { try await entry.checkAccess(RecogniserSettings(), locale: english) }
        }
        return [key]
      }
      let dictation = check(".dictation", "Dictation, \(entry.displayName)") {
        // A recogniser beside the first one is optional.
        guard index == 0 || entry.isAvailable else {
          return "not installed (optional): \(entry.remedy)"
        }
        return try await load(entry, RecogniserSettings())
      }
      guard index == 0, entry.features.contains(.grammar) else { return [dictation] }
      let model = check(".model", title) {
        try await load(entry, RecogniserSettings(search: .grammar(grammar)))
      }
      return [model, dictation]
    }
  }

  /// Checks of the catalogue's voices. The first one has to work; others are optional.
  static var voices: [Check] {
    SpeechCatalog.current.voices.enumerated().map { index, entry in
      Check(
        part: "synthesis.\(entry.name)", title: "Voice \(entry.displayName)",
        severity: index == 0 ? .failure : .warning, remedy: entry.remedy
      ) {
        guard entry.isLocal else {
          return try await access { try await entry.checkAccess() }
        }
        return try await speak(with: entry)
      }
    }
  }

  /// Reports whether the key of a service is stored. Services are optional, so that a missing key
  /// is no deficiency.
  private static func access(_ check: () async throws -> Void) async throws -> String {
    do {
      try await check()
      return "its key is stored"
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return "not set up (optional): \(error.localizedDescription)"
    }
  }

  /// Loads a recogniser and reports how long that took.
  private static func load(
    _ entry: RecogniserEntry, _ settings: RecogniserSettings
  ) async throws -> String {
    try await entry.checkAccess(settings, locale: english)
    let recogniser = try SpeechCatalog.current.recogniser(
      BackendName(entry: entry.name), settings: settings)
    let began = ContinuousClock.now
    try await recogniser.makeTranscriber(locale: english).prepare()
    return "\(recogniser.name) loaded in \(milliseconds(since: began))"
  }

  /// Checks that speech is recognised as it was spoken, with the voice and the recogniser that
  /// understand each other best.
  static var understanding: Check {
    Check(
      part: "understanding", title: "Speaking and hearing",
      remedy: "See what failed above; if nothing did, the model or the voice's data is damaged: "
        + "reinstall pocketsphinx-en-us and libflite1."
    ) {
      let spoken = try await VoiceEntry.flite.voice().render(sentence)
      let recogniser = try SpeechCatalog.current.recogniser(
        settings: RecogniserSettings(search: .grammar(grammar)))
      let heard = try await recogniser.makeTranscriber(locale: english).transcribe(spoken).text
      guard heard == sentence else {
        throw Deficiency("“\(sentence)” was spoken and “\(heard)” was recognised")
      }
      return "“\(sentence)” was spoken and recognised"
    }
  }

  private static func speak(with entry: VoiceEntry) async throws -> String {
    let voices = try await entry.voices()
    let began = ContinuousClock.now
    let sound = try await entry.voice().render(sentence)
    guard sound.level > -60 else { throw Deficiency("its audio is silent") }
    let seconds = sound.duration.inSeconds.formatted(.number.precision(.fractionLength(1)))
    return
      "\(voices.count) voices; \(seconds) s of speech made in \(milliseconds(since: began))"
  }

  private static func milliseconds(since began: ContinuousClock.Instant) -> String {
    "\(Int((began.duration(to: .now).inSeconds * 1_000).rounded())) ms"
  }
}

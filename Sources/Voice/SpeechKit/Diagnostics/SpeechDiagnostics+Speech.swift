import Foundation

extension SpeechDiagnostics {
  /// What is said and heard in the round trip.
  private static let sentence = "go forward ten meters"
  private static let grammar =
    "#JSGF V1.0; grammar check; public <move> = go (forward | backward) (one | two | ten) meters;"
  private static let english = Locale(identifier: "en-US")

  /// Whether models load.
  static var recognition: [Check] {
    [
      Check(
        part: "recognition.model", title: "Recognition model",
        remedy:
          "Install the package pocketsphinx-en-us, or set SPEECHKIT_MODELS to a folder of models."
      ) {
        let model = try PocketSphinxModel.find(for: english)
        try await RecognitionSession<PocketSphinxDecoder>(
          configuration: PocketSphinxConfiguration(search: .grammar(grammar)), locale: english
        ).prepare()
        return model.folder.path
      },
      Check(
        part: "recognition.dictation", title: "Dictation",
        remedy:
          "Install the package pocketsphinx-en-us; its language model is what dictation needs."
      ) {
        let session = RecognitionSession<PocketSphinxDecoder>(
          configuration: PocketSphinxConfiguration(), locale: english)
        let began = ContinuousClock.now
        try await session.prepare()
        return "language model loaded in \(milliseconds(since: began))"
      },
    ]
  }

  /// Whether voices speak.
  static var voices: [Check] {
    [
      Check(
        part: "synthesis.espeak", title: "Voice eSpeak NG",
        remedy: "Install the packages libespeak-ng1 and espeak-ng-data."
      ) {
        try await speak(with: EspeakEngine(), configuration: .default)
      },
      Check(
        part: "synthesis.flite", title: "Voice Flite", severity: .warning,
        remedy: "Install the package libflite1."
      ) {
        try await speak(with: FliteEngine(), configuration: .default)
      },
    ]
  }

  /// Whether what is said is what is heard.
  static var understanding: Check {
    Check(
      part: "understanding", title: "Speaking and hearing",
      remedy: "See what failed above; if nothing did, the model or the voice's data is damaged: "
        + "reinstall pocketsphinx-en-us and libflite1."
    ) {
      let engine = FliteEngine()
      let spoken = try await engine.render(
        engine.makeRequest(text: sentence), configuration: .default)
      let transcriber = SpeechTranscriber<PocketSphinxDecoder>(
        configuration: PocketSphinxConfiguration(search: .grammar(grammar)), locale: english)
      let heard = try await transcriber.transcribe(spoken).text
      guard heard == sentence else {
        throw Deficiency("“\(sentence)” was said and “\(heard)” was heard")
      }
      return "“\(sentence)” was said and heard"
    }
  }

  private static func speak<Engine: VoiceEngine>(
    with engine: Engine, configuration: Engine.Configuration
  ) async throws -> String {
    let voices = try await engine.fetchVoices(languageCode: "", configuration: configuration)
    let began = ContinuousClock.now
    let sound = try await engine.render(
      engine.makeRequest(text: sentence), configuration: configuration)
    guard sound.level > -60 else { throw Deficiency("it makes no sound") }
    return
      "\(voices.count) voices; \(sound.duration.inSeconds.formatted(.number.precision(.fractionLength(1)))) s of speech "
      + "made in \(milliseconds(since: began))"
  }

  private static func milliseconds(since began: ContinuousClock.Instant) -> String {
    "\(Int((began.duration(to: .now).inSeconds * 1_000).rounded())) ms"
  }
}

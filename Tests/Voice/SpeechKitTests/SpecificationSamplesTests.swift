import SpeechKit
import SpeechWhisper
import Testing

#if Cloud
import AIServices
#endif

/// The samples that the specification prints, as they are printed there. That this file compiles is
/// half of the test.
@MainActor
struct SpecificationSamplesTests {
  @Test func `all names of the platform's recogniser refer to one provider`() {
    let first = {
      let engine = SpeechRecognitionEngine(providerType: .sfSpeechRecognizer)
      return engine
    }()
    let second = {
      let engine = SpeechRecognitionEngine(providerType: .speechAnalyzer)
      return engine
    }()
    #expect(first.providerType == .pocketSphinx)
    #expect(second.providerType == .pocketSphinx)
    #expect(SpeechRecognitionEngine().providerType == Self.best)
    #expect(SFSpeechRecognizerProvider.identifier == SpeechAnalyzerProvider.identifier)
  }

  /// The best local recogniser on this machine.
  private nonisolated static var best: SpeechRecognitionProviderType {
    WhisperDecoder.isAvailable ? .whisper : .pocketSphinx
  }

  @Test(
    arguments: [
      (.auto, best), (.pocketSphinx, .pocketSphinx), (.sfSpeechRecognizer, best),
      (.speechAnalyzer, best),
    ] as [(SpeechRecognitionProviderType, SpeechRecognitionProviderType)])
  func `the platform's recogniser is the best local one`(
    _ type: SpeechRecognitionProviderType, _ running: SpeechRecognitionProviderType
  ) {
    let engine = SpeechRecognitionEngine(providerType: type, silenceThreshold: 1.5)
    #expect(engine.providerType == running)
    #expect((engine.provider is PocketSphinxRecognitionProvider) == (running == .pocketSphinx))
    #expect(!engine.isListening)
  }

  @Test func `the printed types of recognisers exist`() {
    let printed = ["auto", "sfSpeechRecognizer", "speechAnalyzer"]
    #expect(Set(SpeechRecognitionProviderType.allCases.map(\.rawValue)).isSuperset(of: printed))
  }

  @Test func `the engine delivers the results of a mock recogniser`() async throws {
    let mock = MockSpeechRecognitionProvider()
    mock.authorizationStatusToReturn = .authorized
    let engine = SpeechRecognitionEngine(provider: mock)
    try await engine.startListening(locale: Locale(identifier: "en-US"))
    let results = engine.results

    // Simulate speech
    mock.simulatePartialResult("Hello")
    #expect(engine.partialTranscription == "Hello")
    mock.simulateFinalResult("Hello, world!")
    engine.stopListening()

    #expect(await results.texts() == ["Hello", "Hello, world!"])
    #expect(engine.lastResult?.text == "Hello, world!")
    #expect(engine.lastResult?.isFinal == true)
  }

  /// The platform's own voice, which the traits of the package decide.
  #if Espeak
  private nonisolated static let platformVoice = SpeechSynthesisProviderType.eSpeak
  #else
  private nonisolated static let platformVoice = SpeechSynthesisProviderType.flite
  #endif

  @Test func `the platform's own voice is configured as printed`() {
    let config = AppleSpeechSynthesisConfiguration(
      rate: 0.5,  // 0.0 to 1.0
      pitchMultiplier: 1.0,  // 0.5 to 2.0
      volume: 1.0,  // 0.0 to 1.0
      preUtteranceDelay: 0.0,
      postUtteranceDelay: 0.0
    )

    let provider = AppleSpeechSynthesisProvider(configuration: config)
    let engine = SpeechSynthesisEngine(provider: provider)
    #expect(engine.providerType == Self.platformVoice)
    #expect(provider.configuration == .default)
    #expect(engine.capabilities.isSuperset(of: [.pause, .resume, .offline]))
  }

  @Test func `values out of range are replaced by the nearest within it`() {
    let config = AppleSpeechSynthesisConfiguration(rate: 7, pitchMultiplier: 0, volume: -1)
    #expect(config.style == SpeakingStyle(rate: 1, pitchMultiplier: 0.5, volume: 0))
    #expect(config.rate == 1)
    #expect(config.pitchMultiplier == 0.5)
    #expect(config.volume == 0)
    #expect(config.preUtteranceDelay + config.postUtteranceDelay == 0)
  }

  @Test(arguments: [
    (SpeechSynthesisProviderType.auto, platformVoice), (.apple, platformVoice),
    (.eSpeak, platformVoice), (.localTTS, platformVoice), (.flite, .flite),
  ])
  func `every type of voice runs on Linux`(
    _ asked: SpeechSynthesisProviderType, _ given: SpeechSynthesisProviderType
  ) {
    let engine = {
      guard asked == .apple else { return SpeechSynthesisEngine(providerType: asked) }
      let engine = SpeechSynthesisEngine(providerType: .apple)
      return engine
    }()
    #expect(engine.providerType == given)
    let hasOther = SpeechCatalog.standard.voices.filter(\.isLocal).count > 1
    #expect(engine.fallbackEnabled == hasOther)
    #expect(!SpeechSynthesisEngine(providerType: asked, fallbackEnabled: false).fallbackEnabled)
  }

  #if Cloud
  @Test(arguments: [SpeechSynthesisProviderType.elevenLabs, .openAI])
  func `a requested service is the first choice, and a local voice the second`(
    _ type: SpeechSynthesisProviderType
  ) {
    let engine = SpeechSynthesisEngine(providerType: type)
    #expect(engine.providerType == type)
    #expect(engine.fallback is AppleSpeechSynthesisProvider)
    #expect(!SpeechSynthesisEngine(providerType: type, fallbackEnabled: false).fallbackEnabled)
    #expect(engine.capabilities == [.pause, .resume, .streaming])
  }

  @Test func `without a key, a local voice speaks instead of the service`() async throws {
    let keyless = ElevenLabsProvider(credentialManager: AICredentialManager())
    // The same voices, with nothing but memory for a loudspeaker.
    let speaker = MemorySpeaker()
    let wanted = ElevenLabsSynthesisProvider(
      engine: keyless, configuration: .default, output: speaker)
    let local = AppleSpeechSynthesisProvider(
      engine: .init(), configuration: .default, output: speaker)
    let engine = SpeechSynthesisEngine(provider: wanted, fallback: local)
    try await engine.speak(text: "Hello")
    #expect(engine.fallbackReason == .authenticationFailed)
    #expect(engine.providerType == Self.platformVoice)
    #expect(engine.error == nil)
    #expect(!speaker.sounds.isEmpty)

    let alone = SpeechSynthesisEngine(provider: wanted)
    await #expect(throws: SpeechSynthesisProviderError.authenticationFailed) {
      try await alone.speak(text: "Hello")
    }
    #expect(alone.providerType == .elevenLabs)
    #expect(alone.error == .authenticationFailed)
  }
  #endif

  @Test func `a mock voice completes on request`() async throws {
    let mock = MockSpeechSynthesisProvider()
    mock.autoComplete = false  // Control completion manually
    let engine = SpeechSynthesisEngine(provider: mock)
    let events = mock.events

    // Start speaking
    let speaking = Task {
      try await engine.speak(text: "Hello")
    }
    for await event in events where event == .started { break }
    #expect(engine.isPlaying)

    // Later, complete the speech
    mock.simulateCompletion()
    try await speaking.value
    #expect(!engine.isPlaying)
    #expect(mock.lastSpokenText == "Hello")
  }

  @Test func `an app's own providers work in the engines`() {
    // Recognition
    let customRecognition = MyCustomRecognitionProvider()
    let recognitionEngine = SpeechRecognitionEngine(provider: customRecognition)

    // Synthesis
    let customSynthesis = MyCustomSynthesisProvider()
    let synthesisEngine = SpeechSynthesisEngine(provider: customSynthesis)

    #expect(recognitionEngine.provider === customRecognition)
    #expect(recognitionEngine.providerType == .auto)
    #expect(synthesisEngine.provider === customSynthesis)
    #expect(synthesisEngine.providerType == .auto)
  }
}

extension AsyncStream<SpeechRecognitionResult> {
  /// The texts of all results, once there are no more.
  func texts() async -> [String] {
    var texts: [String] = []
    for await result in self { texts.append(result.text) }
    return texts
  }
}

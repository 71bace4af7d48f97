import SpeechKit
import Testing

/// An engine of an app's own tests, in the place of the recogniser's.
@MainActor
private final class InjectedRecognition: SpeechRecognitionEngineProtocol {
  var isListening = false
  var authorizationStatus = SpeechAuthorizationStatus.notDetermined
  var partialTranscription = ""
  var lastResult: SpeechRecognitionResult?
  var error: SpeechRecognitionError?
  var results: AsyncStream<SpeechRecognitionResult> { AsyncStream { $0.finish() } }

  func requestAuthorization() async -> SpeechAuthorizationStatus { .authorized }
  func startListening(locale: Locale) async throws { isListening = true }
  func stopListening() { isListening = false }
}

/// An engine of an app's own tests, in the place of the voice's.
@MainActor
private final class InjectedSynthesis: SpeechSynthesisEngineProtocol {
  var isPlaying = false
  var isPaused = false
  var capabilities: Set<SpeechSynthesisCapability> = []
  var events: AsyncStream<SpeechSynthesisEvent> { AsyncStream { $0.finish() } }
  var spoken: [String] = []

  func speak(text: String, voice: String?) async throws { spoken.append(text + (voice ?? "")) }
  func stop() {}
  func pause() {}
  func resume() {}
}

/// The interfaces behind which apps hide the engines.
@MainActor
struct InjectedEngineTests {
  @Test func `an app's code takes the engines and its own replacements`() async throws {
    let mock = MockSpeechRecognitionProvider()
    mock.authorizationStatusToReturn = .authorized
    let engines: [any SpeechRecognitionEngineProtocol] = [
      SpeechRecognitionEngine(provider: mock), InjectedRecognition(),
    ]
    for engine in engines {
      #expect(await engine.requestAuthorization() == .authorized)
      try await engine.startListening(locale: .current)
      #expect(engine.isListening)
      engine.stopListening()
      #expect(!engine.isListening)
      #expect(engine.lastResult == nil)
      #expect(engine.error == nil)
    }

    let injected = InjectedSynthesis()
    let voice = MockSpeechSynthesisProvider()
    let voices: [any SpeechSynthesisEngineProtocol] = [
      SpeechSynthesisEngine(provider: voice), injected,
    ]
    for engine in voices {
      try await engine.speak(text: "Hello")
      engine.pause()
      engine.resume()
      engine.stop()
      #expect(!engine.isPlaying)
    }
    #expect(voice.lastSpokenText == "Hello")
    #expect(injected.spoken == ["Hello"])
  }

  @Test func `an engine is created with a silence alone`() {
    let engine = SpeechRecognitionEngine(silenceThreshold: 2.0)
    #expect(engine.providerType == .pocketSphinx)
    let provider = engine.provider as? PocketSphinxRecognitionProvider
    #expect(provider?.segmenter.maximumSilence == .seconds(2))
  }

  @Test func `a local voice speaks for a provider that fails, if it may`() async throws {
    let mock = MockSpeechSynthesisProvider()
    mock.speakError = .networkUnavailable
    let speaker = MemorySpeaker()
    let engine = SpeechSynthesisEngine(provider: mock, fallbackEnabled: true, output: speaker)
    try await engine.speak(text: "Hello")
    #expect(engine.fallbackReason == .networkUnavailable)
    #expect(speaker.sounds.count == 1)

    let alone = SpeechSynthesisEngine(provider: mock, fallbackEnabled: false, output: speaker)
    #expect(!alone.fallbackEnabled)
    await #expect(throws: SpeechSynthesisProviderError.networkUnavailable) {
      try await alone.speak(text: "Hello")
    }
    #expect(alone.error == .networkUnavailable)
  }

  @Test func `the fallback of a local voice is another one`() {
    let engine = SpeechSynthesisEngine(provider: LocalTTSProvider(), fallbackEnabled: true)
    #expect(engine.provider is AppleSpeechSynthesisProvider)
    #expect(!(engine.fallback is AppleSpeechSynthesisProvider))
  }

  #if Cloud
  @Test func `the planned providers are providers of an engine`() {
    let elevenLabs = SpeechSynthesisEngine(provider: ElevenLabsProvider())
    #expect(elevenLabs.providerType == .elevenLabs)
    #expect(elevenLabs.fallbackEnabled)
    let openAI = SpeechSynthesisEngine(provider: OpenAITTSProvider())
    #expect(openAI.providerType == .openAI)
    #expect(openAI.capabilities.contains(.streaming))
    #expect(!openAI.capabilities.contains(.offline))
  }
  #endif
}

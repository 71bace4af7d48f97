// The names that programs written for Apple's platforms and for earlier packages use, so that they
// move over unchanged. Each that names the platform means the platform's own recogniser or voice;
// on Linux those are PocketSphinx and eSpeak NG (Flite if the package is built without eSpeak NG).

#if Cloud
import AIServices
import SpeechCloud
#endif

/// The platform's own recogniser.
public typealias SFSpeechRecognizerProvider = PocketSphinxRecognitionProvider

/// The platform's own recogniser.
public typealias SpeechAnalyzerProvider = PocketSphinxRecognitionProvider

#if Espeak
/// The platform's own voice.
public typealias AppleSpeechSynthesisProvider = EspeakSynthesisProvider

/// The configuration of the platform's own voice.
public typealias AppleSpeechSynthesisConfiguration = EspeakConfiguration

/// The engine of the platform's own voice.
public typealias AVSpeechTTSEngine = EspeakEngine
#else
/// The platform's own voice.
public typealias AppleSpeechSynthesisProvider = FliteSynthesisProvider

/// The configuration of the platform's own voice.
public typealias AppleSpeechSynthesisConfiguration = FliteConfiguration

/// The engine of the platform's own voice.
public typealias AVSpeechTTSEngine = FliteEngine
#endif

extension AppleSpeechSynthesisConfiguration {
  /// The pace, from 0 to 1.
  public var rate: Float { style.rate }
  /// The pitch as a multiple of the voice's own, from 0.5 to 2.
  public var pitchMultiplier: Float { style.pitchMultiplier }
  /// The volume, from 0 to 1.
  public var volume: Float { style.volume }
  /// The silence before the speech in seconds.
  public var preUtteranceDelay: TimeInterval { style.preUtteranceDelay }
  /// The silence after the speech in seconds.
  public var postUtteranceDelay: TimeInterval { style.postUtteranceDelay }
}

extension SpeechSynthesisProviderError {
  /// The error of a type of provider that cannot run on this machine.
  public static func providerNotAvailable(_ type: SpeechSynthesisProviderType) -> Self {
    .providerNotAvailable(type.rawValue)
  }
}

/// The platform's own voice, which is offline.
public typealias LocalTTSProvider = AppleSpeechSynthesisProvider

/// The engine of the platform's own voice, which is its own boundary.
public typealias AppleTTSEngineBoundary = AVSpeechTTSEngine

extension AVSpeechTTSEngine {
  /// Returns the engine itself: no adapter is needed.
  public init(underlying: AVSpeechTTSEngine) { self = underlying }
}

/// Encoded audio from the platform's own voice.
public typealias AppleVoiceProvider = EngineVoiceProvider<AVSpeechTTSEngine>

extension AppleVoiceProvider {
  /// Creates a provider that speaks with the platform's own voice.
  public init(configuration: AppleSpeechSynthesisConfiguration = .default) {
    self.init(
      id: "apple", displayName: "The platform's voice", engine: AVSpeechTTSEngine(),
      configuration: configuration)
  }
}

#if Cloud
/// The service of ElevenLabs, which an engine accepts as its provider.
public typealias ElevenLabsProvider = AIServices.ElevenLabsProvider

/// The service of ElevenLabs as a voice engine.
public typealias ElevenLabsEngine = AIServices.ElevenLabsProvider

/// A provider that speaks with OpenAI.
public typealias OpenAITTSProvider = OpenAISynthesisProvider

/// Encoded audio from ElevenLabs.
public typealias ElevenLabsVoiceProvider = EngineVoiceProvider<ElevenLabsEngine>

extension ElevenLabsVoiceProvider {
  /// Creates a provider with the key that is stored for ElevenLabs.
  ///
  /// - Parameters:
  ///   - apiKey: a key that is used instead and is not stored.
  ///   - service: the configuration of the service.
  public init(apiKey: String? = nil, service: ElevenLabsConfiguration = .init()) {
    let credentials =
      apiKey.map { key in
        let variable = EnvironmentCredentials.variable(for: service.id)
        return AICredentialManager(sources: [EnvironmentCredentials([variable: key])])
      } ?? .shared
    self.init(
      id: "elevenlabs", displayName: "ElevenLabs", requiresAPIKey: true, format: .mp3,
      engine: ElevenLabsProvider(configuration: service, credentialManager: credentials),
      configuration: .default
    ) {
      _ = try await credentials.retrieve(providerID: service.id, type: .apiKey)
    }
  }
}
#endif

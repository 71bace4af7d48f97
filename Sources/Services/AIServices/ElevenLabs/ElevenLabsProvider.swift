import Foundation

/// A provider for ElevenLabs' voices: complete or streamed speech, with character timings.
///
/// ```swift
/// let provider = ElevenLabsProvider()
/// let speech = try await provider.speak(SpeechRequest("Good morning."))
/// for try await piece in speech.pieces { save(piece.audio) }
/// ```
public final class ElevenLabsProvider: ServiceClientProvider {
  /// The vendor's global address.
  public static let defaultBaseURL = "https://api.elevenlabs.io"

  /// The configuration of the service.
  public let configuration: ElevenLabsConfiguration
  /// The client of the service, which reports its health and usage.
  public let client: ServiceClient

  /// Creates a provider with the key that is stored for `elevenlabs`.
  public convenience init(
    credentialManager: AICredentialManager = .shared, baseURL: String = defaultBaseURL
  ) {
    self.init(
      configuration: ElevenLabsConfiguration(baseURL: baseURL),
      credentialManager: credentialManager)
  }

  /// Creates a provider with a custom configuration.
  public convenience init(
    configuration: ElevenLabsConfiguration, credentialManager: AICredentialManager = .shared,
    environment: ServiceEnvironment = .standard
  ) {
    self.init(
      configuration: configuration,
      client: ServiceClient(
        name: configuration.displayName, endpoint: configuration.endpoint,
        key: .stored(
          for: configuration.id, in: credentialManager, format: configuration.keyFormat),
        environment: environment,
        limits: configuration.limits, permanentCodes: ["quota_exceeded"],
        prices: configuration.prices, models: configuration.models))
  }

  private init(configuration: ElevenLabsConfiguration, client: ServiceClient) {
    self.configuration = configuration
    self.client = client
  }

  /// Creates a provider with the shared credentials and transport.
  public static func shared() -> ElevenLabsProvider { ElevenLabsProvider() }

  /// The identifier of the provider.
  public var id: String { configuration.id }
  /// The capabilities: speech synthesis only.
  public let capabilities: [AICapability] = [.audioGeneration]
  /// The type of responses: audio.
  public let responseType = ResponseContent.ContentType.audio

  /// Speaks a prompt as MP3.
  ///
  /// Parameters: `voice_id`, `model_id`, `stability` (0 to 1, default 0.5), `clarity_boost` (0 to
  /// 1, default 0.75; `similarity_boost` is a synonym), `style` (0 to 1), `use_speaker_boost`,
  /// `speed` (0.7 to 1.2), `language_code`.
  public func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    await Result {
      var given = ServiceParameters(parameters)
      var request = SpeechRequest(prompt, voice: try given.string("voice_id"))
      request.model = try given.string("model_id")
      request.language = try given.string("language_code")
      request.speed = try given.number("speed", in: 0.7...1.2)
      var changed = configuration
      changed.stability = try given.number("stability", in: 0...1) ?? changed.stability
      changed.similarityBoost =
        try given.number("clarity_boost", in: 0...1)
        ?? given.number("similarity_boost", in: 0...1) ?? changed.similarityBoost
      changed.style = try given.number("style", in: 0...1) ?? changed.style
      changed.usesSpeakerBoost = try given.flag("use_speaker_boost") ?? changed.usesSpeakerBoost
      // Read even if unused, so that it counts as known when both are given.
      _ = try given.number("similarity_boost", in: 0...1)
      try given.finish()
      let speech = try await with(changed).speak(request)
      return .audio(try await speech.collected(), format: speech.format)
    }
  }

  /// The same service with other voice settings; health, limits and usage stay shared.
  public func with(_ configuration: ElevenLabsConfiguration) -> ElevenLabsProvider {
    ElevenLabsProvider(configuration: configuration, client: client)
  }
}

extension ElevenLabsProvider: AccessCheck {
  /// Requests one voice, which is free of charge.
  package func checkAccess() async throws {
    _ = try await client.data(for: .get("v2/voices", query: [("page_size", "1")]))
  }
}

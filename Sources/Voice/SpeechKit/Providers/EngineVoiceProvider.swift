/// A `VoiceProvider` for any `VoiceEngine`.
///
/// ```swift
/// let provider = EngineVoiceProvider(
///   id: "flite", displayName: "Flite", engine: FliteEngine(), configuration: .default)
/// ```
public struct EngineVoiceProvider<Engine: VoiceEngine>: VoiceProvider {
  /// The identifier of the provider, which its voices carry.
  public let providerId: String
  /// The name shown to the user.
  public let displayName: String
  /// True if the service requires a key.
  public let requiresAPIKey: Bool
  /// The MIME type of short texts.
  public let mimeType: String

  private let engine: Engine
  private let configuration: Engine.Configuration
  private let access: @Sendable () async throws -> Void

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - format: the format that the engine generates.
  ///   - access: throws if the engine may not be used, for example because its key is missing.
  public init(
    id: String, displayName: String, requiresAPIKey: Bool = false,
    format: VoiceEngineAudioFormat = .wav, engine: Engine, configuration: Engine.Configuration,
    access: @escaping @Sendable () async throws -> Void = {}
  ) {
    providerId = id
    self.displayName = displayName
    self.requiresAPIKey = requiresAPIKey
    mimeType = format.defaultMIMEType
    self.engine = engine
    self.configuration = configuration
    self.access = access
  }

  /// Returns true if the engine can generate audio and may be used.
  public func isConfigured() async -> Bool {
    guard Engine.isAvailable, engine.canGenerate(with: configuration) else { return false }
    return (try? await access()) != nil
  }

  /// Fetches the engine's voices for that language, or all voices.
  ///
  /// - Throws: `VoiceProviderError`; `CancellationError` when the task is cancelled.
  public func fetchVoices(languageCode: String) async throws -> [Voice] {
    try await translatingErrors {
      try await engine.fetchVoices(languageCode: languageCode, configuration: configuration).map {
        var voice = $0
        voice.providerId = providerId
        return voice
      }
    }
  }

  /// Generates the encoded audio of a text.
  ///
  /// - Throws: `VoiceProviderError`; `CancellationError` when the task is cancelled.
  public func generateAudio(
    text: String, voiceId: String, languageCode: String
  ) async throws -> Data {
    let request = engine.makeRequest(text: text, voiceId: voiceId, languageCode: languageCode)
    return try await translatingErrors {
      try await engine.generateAudio(request: request, configuration: configuration).audioData
    }
  }

  /// Estimates the duration of the audio in seconds.
  public func estimateDuration(text: String, voiceId: String) async -> TimeInterval {
    engine.estimateDuration(
      request: engine.makeRequest(text: text, voiceId: voiceId), configuration: configuration)
  }

  /// Returns true if the engine has the voice.
  public func isVoiceAvailable(voiceId: String) async -> Bool {
    await engine.isVoiceAvailable(voiceId: voiceId, configuration: configuration)
  }

  private func translatingErrors<Result>(
    _ work: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await work()
    } catch {
      if error is CancellationError { throw error }
      throw VoiceProviderError(error)
    }
  }
}

/// The layer above a `VoiceEngine` that assembles its configuration and returns encoded audio.
///
/// `EngineVoiceProvider` is one for any engine. An app that plays speech uses a
/// `SpeechSynthesisProvider` instead.
///
/// ```swift
/// let provider = AppleVoiceProvider()
/// let voices = try await provider.fetchVoices(languageCode: "en")
/// let audio = try await provider.generateAudio(text: "Good morning.", voiceId: voices[0].id)
/// ```
public protocol VoiceProvider: Sendable {
  /// The identifier of the provider.
  var providerId: String { get }

  /// The name shown to the user.
  var displayName: String { get }

  /// True if the service requires a key.
  var requiresAPIKey: Bool { get }

  /// The MIME type of the audio that it generates.
  var mimeType: String { get }

  /// Returns true if the engine is installed, and its key is stored if it requires one.
  func isConfigured() async -> Bool

  /// Fetches the voices for that language (`"en"`, `"de-DE"`; empty for all).
  ///
  /// - Throws: `VoiceProviderError`.
  func fetchVoices(languageCode: String) async throws -> [Voice]

  /// Generates the encoded audio of a text.
  ///
  /// - Parameters:
  ///   - voiceId: the engine's identifier of the voice; empty for the default one.
  ///   - languageCode: the language; empty for the voice's own.
  /// - Throws: `VoiceProviderError`.
  func generateAudio(text: String, voiceId: String, languageCode: String) async throws -> Data

  /// Estimates the duration of the audio in seconds.
  func estimateDuration(text: String, voiceId: String) async -> TimeInterval

  /// Returns true if there is a voice with that identifier.
  func isVoiceAvailable(voiceId: String) async -> Bool
}

extension VoiceProvider {
  /// Fetches all voices.
  ///
  /// - Throws: `VoiceProviderError`.
  public func fetchVoices() async throws -> [Voice] {
    try await fetchVoices(languageCode: "")
  }

  /// Generates the encoded audio of a text in the voice's own language.
  ///
  /// - Throws: `VoiceProviderError`.
  public func generateAudio(text: String, voiceId: String) async throws -> Data {
    try await generateAudio(text: text, voiceId: voiceId, languageCode: "")
  }
}

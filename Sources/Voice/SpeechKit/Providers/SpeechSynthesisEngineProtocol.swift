/// The interface of `SpeechSynthesisEngine`, for apps that inject another implementation in their
/// tests.
///
/// `MockSpeechSynthesisProvider` tests an app without replacing the engine.
@MainActor
public protocol SpeechSynthesisEngineProtocol: AnyObject {
  /// True while a text is spoken.
  var isPlaying: Bool { get }

  /// True while speech is paused.
  var isPaused: Bool { get }

  /// The capabilities of the current provider.
  var capabilities: Set<SpeechSynthesisCapability> { get }

  /// The events from now on.
  var events: AsyncStream<SpeechSynthesisEvent> { get }

  /// Speaks the text with that voice, or with the provider's default.
  ///
  /// - Throws: `SpeechSynthesisProviderError`.
  func speak(text: String, voice: String?) async throws

  /// Ends the current text at once.
  func stop()

  /// Pauses the audio, if the provider can.
  func pause()

  /// Resumes after a pause, if the provider can.
  func resume()
}

extension SpeechSynthesisEngineProtocol {
  /// Speaks the text with the provider's default voice.
  ///
  /// - Throws: `SpeechSynthesisProviderError`.
  public func speak(text: String) async throws {
    try await speak(text: text, voice: nil)
  }
}

extension SpeechSynthesisEngine: SpeechSynthesisEngineProtocol {}

import Foundation

/// A voice as an app sees it: state, capabilities and a stream of events.
///
/// Laws: `speak` returns when the last sample has been heard and throws `cancelled` when stopped;
/// every `started` is followed by exactly one `completed` or `failed`; empty text is `invalidText`.
@MainActor
public protocol SpeechSynthesisProvider: AnyObject {
  /// Unique identifier of the provider.
  static var identifier: String { get }

  /// Whether the provider can run here.
  static var isAvailable: Bool { get }

  /// Whether it is speaking.
  var isPlaying: Bool { get }

  /// Whether it is held in the middle of speech.
  var isPaused: Bool { get }

  /// What it can do.
  var capabilities: Set<SpeechSynthesisCapability> { get }

  /// What happens from now on.
  var events: AsyncStream<SpeechSynthesisEvent> { get }

  /// Where in the text the voice is, from now on. Providers that do not know give an empty stream.
  var positions: AsyncStream<SpeechPosition> { get }

  /// What has been heard of the text that is being spoken, or of the last one; `nil` if the provider does
  /// not know.
  var spoken: SpokenRecord? { get }

  /// Speaks the text with that voice, or with the provider's own choice.
  ///
  /// - Throws: `SpeechSynthesisProviderError`.
  func speak(text: String, voice: String?) async throws

  /// Ends what is being spoken, at once.
  func stop()

  /// Holds the sound.
  func pause()

  /// Goes on after a pause.
  func resume()
}

extension SpeechSynthesisProvider {
  /// No positions: for providers that do not know where they are.
  public var positions: AsyncStream<SpeechPosition> { AsyncStream { $0.finish() } }

  /// Unknown: for providers that hand the text to somebody else.
  public var spoken: SpokenRecord? { nil }

  /// Speaks the text with the provider's own choice of voice.
  ///
  /// - Throws: `SpeechSynthesisProviderError`.
  public func speak(text: String) async throws {
    try await speak(text: text, voice: nil)
  }
}

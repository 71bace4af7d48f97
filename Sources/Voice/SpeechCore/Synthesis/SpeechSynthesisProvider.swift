import Foundation

/// A voice for apps: state, capabilities and a stream of events.
///
/// Laws: `speak` returns when the last sample has been heard and throws `cancelled` when stopped;
/// every `started` is followed by exactly one `completed` or `failed`; empty text is `invalidText`.
@MainActor
public protocol SpeechSynthesisProvider: AnyObject {
  /// The unique identifier of the provider.
  static var identifier: String { get }

  /// True if the provider can run on this machine.
  static var isAvailable: Bool { get }

  /// True while it is speaking.
  var isPlaying: Bool { get }

  /// True while speech is paused.
  var isPaused: Bool { get }

  /// The features that it has.
  var capabilities: Set<SpeechSynthesisCapability> { get }

  /// The events from now on.
  var events: AsyncStream<SpeechSynthesisEvent> { get }

  /// The positions in the text from now on. Empty for providers that do not know them.
  var positions: AsyncStream<SpeechPosition> { get }

  /// The part of the current or latest text that has been heard; `nil` if the provider does not
  /// know.
  var spoken: SpokenRecord? { get }

  /// Speaks the text with that voice, or with the provider's default.
  ///
  /// - Throws: `SpeechSynthesisProviderError`.
  func speak(text: String, voice: String?) async throws

  /// Ends the current text at once.
  func stop()

  /// Pauses the audio.
  func pause()

  /// Resumes after a pause.
  func resume()
}

extension SpeechSynthesisProvider {
  /// An empty stream, for providers that do not know their positions.
  public var positions: AsyncStream<SpeechPosition> { AsyncStream { $0.finish() } }

  /// The default `nil`, for providers that pass the text to another program.
  public var spoken: SpokenRecord? { nil }

  /// Speaks the text with the provider's default voice.
  ///
  /// - Throws: `SpeechSynthesisProviderError`.
  public func speak(text: String) async throws {
    try await speak(text: text, voice: nil)
  }
}

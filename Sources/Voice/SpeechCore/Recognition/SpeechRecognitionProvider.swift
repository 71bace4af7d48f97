import Foundation

/// A recogniser as an app sees it: state, permission and a stream of results.
///
/// Laws: `results` delivers what happens after it was asked for, and finishes when listening ends;
/// every utterance that was begun gets a final result, is rejected, or `failure` says why not; `stopListening()` may
/// come at any time, and what was said before it is still recognised; starting again after stopping
/// works.
@MainActor
public protocol SpeechRecognitionProvider: AnyObject {
  /// Unique identifier of the provider.
  static var identifier: String { get }

  /// Whether the provider can run here.
  static var isAvailable: Bool { get }

  /// Whether it is listening.
  var isListening: Bool { get }

  /// Whether it may listen.
  var authorizationStatus: SpeechAuthorizationStatus { get }

  /// The words of the utterance that is being spoken, as far as they are understood.
  var partialTranscription: String { get }

  /// The results from now on, until listening ends.
  var results: AsyncStream<SpeechRecognitionResult> { get }

  /// The utterances that are not believed to be what is listened for, from now on, until listening
  /// ends.
  var rejections: AsyncStream<RejectedUtterance> { get }

  /// Why listening ended or stands still; `nil` while all is well.
  var failure: SpeechRecognitionError? { get }

  /// Asks for permission to listen.
  func requestAuthorization() async -> SpeechAuthorizationStatus

  /// Starts listening; returns when the first sound can be heard.
  ///
  /// - Throws: `SpeechRecognitionError`.
  func startListening(locale: Locale) async throws

  /// Stops listening. The utterance that was under way is still finished and delivered.
  func stopListening()
}

extension SpeechRecognitionProvider {
  /// No failure: for providers that report all errors when starting.
  public var failure: SpeechRecognitionError? { nil }

  /// None, at once: for providers that reject nothing.
  public var rejections: AsyncStream<RejectedUtterance> { AsyncStream { $0.finish() } }
}

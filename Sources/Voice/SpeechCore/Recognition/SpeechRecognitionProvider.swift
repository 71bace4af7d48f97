import Foundation

/// A recogniser for apps: state, permission and a stream of results.
///
/// Laws: `results` delivers the results since it was requested, and finishes when listening ends.
/// Every utterance that was begun has a final result or a rejection, or `failure` contains the
/// reason. `stopListening()` may be called at any time, and speech before it is still recognised.
/// Listening can be started again after it was stopped.
@MainActor
public protocol SpeechRecognitionProvider: AnyObject {
  /// The unique identifier of the provider.
  static var identifier: String { get }

  /// True if the provider can run on this machine.
  static var isAvailable: Bool { get }

  /// True while it is listening.
  var isListening: Bool { get }

  /// The state of the permission to listen.
  var authorizationStatus: SpeechAuthorizationStatus { get }

  /// The words of the utterance in progress so far.
  var partialTranscription: String { get }

  /// The results from now on, until listening ends.
  var results: AsyncStream<SpeechRecognitionResult> { get }

  /// The utterances that the recogniser does not listen for, from now on, until listening ends.
  var rejections: AsyncStream<RejectedUtterance> { get }

  /// The reason why listening ended or is interrupted; `nil` otherwise.
  var failure: SpeechRecognitionError? { get }

  /// Requests the permission to listen.
  func requestAuthorization() async -> SpeechAuthorizationStatus

  /// Starts listening; returns when the first audio is captured.
  ///
  /// - Throws: `SpeechRecognitionError`.
  func startListening(locale: Locale) async throws

  /// Stops listening. The utterance in progress is still recognised and delivered.
  func stopListening()
}

extension SpeechRecognitionProvider {
  /// The default `nil`, for providers that report all errors when starting.
  public var failure: SpeechRecognitionError? { nil }

  /// An empty stream, for providers that reject nothing.
  public var rejections: AsyncStream<RejectedUtterance> { AsyncStream { $0.finish() } }
}

/// The interface of `SpeechRecognitionEngine`, for apps that inject another implementation in their
/// tests.
///
/// `MockSpeechRecognitionProvider` tests an app without replacing the engine.
@MainActor
public protocol SpeechRecognitionEngineProtocol: AnyObject {
  /// True while it is listening.
  var isListening: Bool { get }

  /// The state of the permission to listen.
  var authorizationStatus: SpeechAuthorizationStatus { get }

  /// The words of the utterance in progress so far.
  var partialTranscription: String { get }

  /// The latest result.
  var lastResult: SpeechRecognitionResult? { get }

  /// The latest error.
  var error: SpeechRecognitionError? { get }

  /// The results from now on.
  var results: AsyncStream<SpeechRecognitionResult> { get }

  /// Requests the permission to listen.
  func requestAuthorization() async -> SpeechAuthorizationStatus

  /// Starts listening.
  ///
  /// - Throws: `SpeechRecognitionError`.
  func startListening(locale: Locale) async throws

  /// Stops listening.
  func stopListening()
}

extension SpeechRecognitionEngine: SpeechRecognitionEngineProtocol {}

import Foundation
import Observation
import SpeechConcurrency

/// A recogniser for tests, whose results are simulated.
///
/// ```swift
/// let mock = MockSpeechRecognitionProvider()
/// let engine = SpeechRecognitionEngine(provider: mock)
/// try await engine.startListening(locale: .current)
/// mock.simulatePartialResult("Hello")
/// mock.simulateFinalResult("Hello, world!")
/// ```
@Observable
@MainActor
public final class MockSpeechRecognitionProvider: SpeechRecognitionProvider {
  /// The fixed identifier of the mock.
  public static let identifier = "com.speechkit.mock"
  /// Always true for a mock.
  public static let isAvailable = true

  /// The status that `requestAuthorization()` returns.
  public var authorizationStatusToReturn: SpeechAuthorizationStatus = .authorized
  /// The current status, which a test can set.
  public var authorizationStatus: SpeechAuthorizationStatus = .notDetermined
  /// The error that `startListening(locale:)` throws.
  public var startListeningError: SpeechRecognitionError?

  /// The number of requests for permission.
  public private(set) var requestAuthorizationCallCount = 0
  /// The number of starts of listening.
  public private(set) var startListeningCallCount = 0
  /// The number of stops of listening.
  public private(set) var stopListeningCallCount = 0
  /// The locale of the latest start.
  public private(set) var lastRequestedLocale: Locale?

  /// True while it is listening.
  public private(set) var isListening = false
  /// The latest partial result.
  public private(set) var partialTranscription = ""
  /// The latest simulated error.
  public private(set) var failure: SpeechRecognitionError?

  @ObservationIgnored private let broadcast = SessionBroadcast<SpeechRecognitionResult>(
    keepsUnheard: \.isFinal)
  @ObservationIgnored private let rejected = SessionBroadcast<RejectedUtterance>()
  @ObservationIgnored private var session: Broadcast<SpeechRecognitionResult>?
  @ObservationIgnored private var rejectedSession: Broadcast<RejectedUtterance>?
  @ObservationIgnored private var utteranceID = UUID()

  /// Creates a mock that grants permission and has no results.
  public init() {}

  /// The simulated results from now on.
  public var results: AsyncStream<SpeechRecognitionResult> { broadcast.stream() }

  /// The simulated rejections from now on.
  public var rejections: AsyncStream<RejectedUtterance> { rejected.stream() }

  /// Counts the call and returns `authorizationStatusToReturn`.
  public func requestAuthorization() async -> SpeechAuthorizationStatus {
    requestAuthorizationCallCount += 1
    authorizationStatus = authorizationStatusToReturn
    return authorizationStatus
  }

  /// Counts the call and starts, or throws `startListeningError`, or `notAuthorized` if permission
  /// was not granted or would not be.
  public func startListening(locale: Locale) async throws {
    startListeningCallCount += 1
    lastRequestedLocale = locale
    if let startListeningError { throw startListeningError }
    let status =
      authorizationStatus == .notDetermined ? authorizationStatusToReturn : authorizationStatus
    guard status == .authorized else { throw SpeechRecognitionError.notAuthorized }
    failure = nil
    partialTranscription = ""
    session = broadcast.begin()
    rejectedSession = rejected.begin()
    isListening = true
  }

  /// Counts the call and ends the streams.
  public func stopListening() {
    stopListeningCallCount += 1
    endSession()
  }

  /// Delivers a partial result.
  public func simulatePartialResult(_ text: String) {
    partialTranscription = text
    send(SpeechRecognitionResult(text: text, isFinal: false, utteranceID: utteranceID))
  }

  /// Delivers a final result.
  public func simulateFinalResult(_ text: String, confidence: Float = 1.0) {
    partialTranscription = ""
    send(
      SpeechRecognitionResult(
        text: text, isFinal: true, confidence: confidence, utteranceID: utteranceID))
    utteranceID = UUID()
  }

  /// Delivers a rejected utterance.
  public func simulateRejection(_ utterance: RejectedUtterance) {
    partialTranscription = ""
    (rejectedSession ?? rejected.begin()).send(utterance)
    utteranceID = UUID()
  }

  /// Fails as a recogniser would: listening ends, the streams finish, and the engine shows the
  /// error.
  public func simulateError(_ error: SpeechRecognitionError) {
    failure = error
    endSession()
  }

  /// Resets all settings, counts and results.
  public func reset() {
    endSession()
    authorizationStatusToReturn = .authorized
    authorizationStatus = .notDetermined
    startListeningError = nil
    requestAuthorizationCallCount = 0
    startListeningCallCount = 0
    stopListeningCallCount = 0
    lastRequestedLocale = nil
    partialTranscription = ""
    failure = nil
    utteranceID = UUID()
  }

  private func send(_ result: SpeechRecognitionResult) {
    // Before listening has started there is no session; its listeners receive results that are
    // simulated then.
    (session ?? broadcast.begin()).send(result)
  }

  private func endSession() {
    isListening = false
    if let session { broadcast.end(session) }
    session = nil
    if let rejectedSession { rejected.end(rejectedSession) }
    rejectedSession = nil
  }
}

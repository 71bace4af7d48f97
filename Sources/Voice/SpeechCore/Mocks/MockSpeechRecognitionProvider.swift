import Foundation
import Observation
import SpeechConcurrency

/// A recogniser for tests, which hears what the test says it hears.
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
  /// `com.speechkit.mock`
  public static let identifier = "com.speechkit.mock"
  /// Always.
  public static let isAvailable = true

  /// What `requestAuthorization()` answers.
  public var authorizationStatusToReturn: SpeechAuthorizationStatus = .authorized
  /// The current status; settable, so that a test begins where it wants.
  public var authorizationStatus: SpeechAuthorizationStatus = .notDetermined
  /// What `startListening(locale:)` throws.
  public var startListeningError: SpeechRecognitionError?

  /// How often permission was asked for.
  public private(set) var requestAuthorizationCallCount = 0
  /// How often listening was started.
  public private(set) var startListeningCallCount = 0
  /// How often listening was stopped.
  public private(set) var stopListeningCallCount = 0
  /// The locale of the latest start.
  public private(set) var lastRequestedLocale: Locale?

  /// Whether it is listening.
  public private(set) var isListening = false
  /// The latest partial result.
  public private(set) var partialTranscription = ""
  /// The error that was simulated last.
  public private(set) var failure: SpeechRecognitionError?

  @ObservationIgnored private let broadcast = SessionBroadcast<SpeechRecognitionResult>(
    keepsUnheard: \.isFinal)
  @ObservationIgnored private let rejected = SessionBroadcast<RejectedUtterance>()
  @ObservationIgnored private var session: Broadcast<SpeechRecognitionResult>?
  @ObservationIgnored private var rejectedSession: Broadcast<RejectedUtterance>?
  @ObservationIgnored private var utteranceID = UUID()

  /// A mock that grants permission and hears nothing.
  public init() {}

  /// The simulated results.
  public var results: AsyncStream<SpeechRecognitionResult> { broadcast.stream() }

  /// The simulated rejections.
  public var rejections: AsyncStream<RejectedUtterance> { rejected.stream() }

  /// Counts the call and answers `authorizationStatusToReturn`.
  public func requestAuthorization() async -> SpeechAuthorizationStatus {
    requestAuthorizationCallCount += 1
    authorizationStatus = authorizationStatusToReturn
    return authorizationStatus
  }

  /// Counts the call and listens, or throws `startListeningError`.
  public func startListening(locale: Locale) async throws {
    startListeningCallCount += 1
    lastRequestedLocale = locale
    if let startListeningError { throw startListeningError }
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

  /// Hears a guess.
  public func simulatePartialResult(_ text: String) {
    partialTranscription = text
    send(SpeechRecognitionResult(text: text, isFinal: false, utteranceID: utteranceID))
  }

  /// Hears the end of an utterance.
  public func simulateFinalResult(_ text: String, confidence: Float = 1.0) {
    partialTranscription = ""
    send(
      SpeechRecognitionResult(
        text: text, isFinal: true, confidence: confidence, utteranceID: utteranceID))
    utteranceID = UUID()
  }

  /// Hears what it does not believe to be meant for it.
  public func simulateRejection(_ utterance: RejectedUtterance) {
    partialTranscription = ""
    (rejectedSession ?? rejected.begin()).send(utterance)
    utteranceID = UUID()
  }

  /// Fails as a real recogniser would: listening ends, the streams finish, and the error is what the
  /// engine shows.
  public func simulateError(_ error: SpeechRecognitionError) {
    failure = error
    endSession()
  }

  /// Forgets all that was set, counted and heard.
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
    // Before listening has started there is no session; what is simulated then reaches its listeners.
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

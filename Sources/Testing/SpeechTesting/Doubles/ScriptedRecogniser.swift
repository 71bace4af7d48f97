import Foundation
import SpeechConcurrency
import SpeechCore

/// A recogniser that hears what a test scripts, with all events of a conversation: the start, the
/// pauses and the end of speech.
///
/// ```swift
/// let ears = ScriptedRecogniser()
/// let loop = VoiceLoop(recognition: SpeechRecognitionEngine(provider: ears), …)
/// ears.begin()
/// ears.guess("turn on")
/// ears.finish("turn on the light")
/// ```
@MainActor
public final class ScriptedRecogniser: ConversationalRecognition {
  /// The identifier `com.speechkit.scripted`.
  public static let identifier = "com.speechkit.scripted"
  /// Always true, because it needs no device.
  public static let isAvailable = true

  /// Always authorized, because it needs no device.
  public let authorizationStatus = SpeechAuthorizationStatus.authorized
  /// True between start and stop.
  public private(set) var isListening = false
  /// The latest partial result.
  public private(set) var partialTranscription = ""
  /// The error that `fail(_:)` has simulated.
  public private(set) var failure: SpeechRecognitionError?
  /// The errors that the next starts throw, in order.
  public var startErrors: [SpeechRecognitionError] = []
  /// The rule that was set, for inspection by a test.
  public var endRule: UtteranceEndRule?
  /// The number of requests to end an utterance.
  public private(set) var endRequests = 0

  /// True while the recogniser is muted. Muting discards an utterance in progress.
  public var isMuted = false {
    didSet { if isMuted { abandon() } }
  }

  /// The number of requests to stop listening.
  public private(set) var stopRequests = 0

  /// The tasks that accompany the recogniser; cancelled by the request to stop.
  package var companions: [Task<Void, any Error>] = []

  private let resultStreams = SessionBroadcast<SpeechRecognitionResult>(keepsUnheard: \.isFinal)
  private let hearingStreams = SessionBroadcast<HearingEvent>()
  private var session: (Broadcast<SpeechRecognitionResult>, Broadcast<HearingEvent>)?
  private var utterance: UUID?
  private let second: @MainActor () -> TimeInterval

  /// Creates a recogniser that has heard nothing.
  ///
  /// - Parameter second: The time since the start of listening, for the times of events.
  public init(second: @escaping @MainActor () -> TimeInterval = { 0 }) {
    self.second = second
  }

  /// A stream of the scripted results.
  public var results: AsyncStream<SpeechRecognitionResult> { resultStreams.stream() }
  /// A stream of the scripted events.
  public var hearing: AsyncStream<HearingEvent> { hearingStreams.stream() }

  /// Returns `.authorized`.
  public func requestAuthorization() async -> SpeechAuthorizationStatus { .authorized }

  /// Starts, or throws the first of `startErrors`.
  public func startListening(locale: Locale) async throws {
    guard !isListening else { return }
    if !startErrors.isEmpty { throw startErrors.removeFirst() }
    failure = nil
    isListening = true
    session = (resultStreams.begin(), hearingStreams.begin())
  }

  /// Stops, and discards an utterance in progress.
  public func stopListening() {
    stopRequests += 1
    for task in companions { task.cancel() }
    companions = []
    guard isListening else { return }
    abandon()
    end()
  }

  /// Counts the request to end an utterance.
  public func endUtterance() { endRequests += 1 }

  // MARK: What is heard

  /// Simulates the start of speech, which is ignored while the recogniser is muted.
  public func begin() {
    guard isListening, !isMuted, utterance == nil else { return }
    let id = UUID()
    utterance = id
    tell(.speechStarted(id, at: second()))
  }

  /// Simulates a short silence.
  public func pause() { utterance.map { tell(.speechPaused($0, at: second())) } }

  /// Simulates the end of a short silence.
  public func resume() { utterance.map { tell(.speechResumed($0, at: second())) } }

  /// Simulates a partial result.
  public func guess(_ text: String) {
    guard let utterance else { return }
    partialTranscription = text
    tell(
      SpeechRecognitionResult(
        text: text, isFinal: false, confidence: 0, utteranceID: utterance))
  }

  /// Simulates the end of speech, with the final text; no text if `nil`. The last voice was heard
  /// the given silence ago.
  public func finish(_ text: String?, silence: TimeInterval = 0) {
    guard let utterance else { return }
    tell(.speechStopped(utterance, lastVoice: second() - silence))
    if let text {
      tell(SpeechRecognitionResult(text: text, isFinal: true, utteranceID: utterance))
    }
    partialTranscription = ""
    tell(.speechEnded(utterance, at: second()))
    self.utterance = nil
  }

  /// Simulates the failure of the recogniser.
  public func fail(_ error: SpeechRecognitionError) {
    guard isListening else { return }
    failure = error
    utterance = nil
    end()
  }

  private func abandon() {
    guard let utterance else { return }
    self.utterance = nil
    tell(.speechStopped(utterance, lastVoice: second()))
    tell(.speechEnded(utterance, at: second()))
  }

  private func end() {
    isListening = false
    guard let session else { return }
    self.session = nil
    resultStreams.end(session.0)
    hearingStreams.end(session.1)
  }

  private func tell(_ result: SpeechRecognitionResult) {
    session?.0.send(result)
    tell(.result(result))
  }

  private func tell(_ event: HearingEvent) { session?.1.send(event) }
}

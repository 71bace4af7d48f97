import Foundation
import SpeechConcurrency
import SpeechCore

/// A recogniser that hears what a test tells it, with all that a conversation wants to know: when somebody
/// begins to speak, pauses, and is done.
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
  /// `com.speechkit.scripted`
  public static let identifier = "com.speechkit.scripted"
  /// Always.
  public static let isAvailable = true

  /// Always allowed.
  public let authorizationStatus = SpeechAuthorizationStatus.authorized
  /// Whether it was started and not stopped.
  public private(set) var isListening = false
  /// The latest guess.
  public private(set) var partialTranscription = ""
  /// What `fail(_:)` was given.
  public private(set) var failure: SpeechRecognitionError?
  /// What the next starts throw, one after the other.
  public var startErrors: [SpeechRecognitionError] = []
  /// The rule it was given; a test may ask it.
  public var endRule: UtteranceEndRule?
  /// How often the end of an utterance was asked for.
  public private(set) var endRequests = 0

  /// Whether it is deaf. An utterance that is under way then is given up.
  public var isMuted = false {
    didSet { if isMuted { abandon() } }
  }

  /// How often listening was stopped.
  public private(set) var stopRequests = 0

  private let resultStreams = SessionBroadcast<SpeechRecognitionResult>(keepsUnheard: \.isFinal)
  private let hearingStreams = SessionBroadcast<HearingEvent>()
  private var session: (Broadcast<SpeechRecognitionResult>, Broadcast<HearingEvent>)?
  private var utterance: UUID?
  private let second: @MainActor () -> TimeInterval

  /// A recogniser that hears nothing yet.
  ///
  /// - Parameter second: the time since the start of listening, for the times that it tells.
  public init(second: @escaping @MainActor () -> TimeInterval = { 0 }) {
    self.second = second
  }

  /// What was told to it, as results.
  public var results: AsyncStream<SpeechRecognitionResult> { resultStreams.stream() }
  /// What was told to it.
  public var hearing: AsyncStream<HearingEvent> { hearingStreams.stream() }

  /// Allowed.
  public func requestAuthorization() async -> SpeechAuthorizationStatus { .authorized }

  /// Starts, or throws the first of `startErrors`.
  public func startListening(locale: Locale) async throws {
    guard !isListening else { return }
    if !startErrors.isEmpty { throw startErrors.removeFirst() }
    failure = nil
    isListening = true
    session = (resultStreams.begin(), hearingStreams.begin())
  }

  /// Stops. An utterance under way is given up.
  public func stopListening() {
    stopRequests += 1
    guard isListening else { return }
    abandon()
    end()
  }

  /// Counts the request.
  public func endUtterance() { endRequests += 1 }

  // MARK: What is heard

  /// Somebody begins to speak. Nothing is heard while it is muted.
  public func begin() {
    guard isListening, !isMuted, utterance == nil else { return }
    let id = UUID()
    utterance = id
    tell(.speechStarted(id, at: second()))
  }

  /// It is quiet for a moment.
  public func pause() { utterance.map { tell(.speechPaused($0, at: second())) } }

  /// The voice is back.
  public func goOn() { utterance.map { tell(.speechResumed($0, at: second())) } }

  /// What is believed to have been said so far.
  public func guess(_ text: String) {
    guard let utterance else { return }
    partialTranscription = text
    tell(
      SpeechRecognitionResult(
        text: text, isFinal: false, confidence: 0, utteranceID: utterance))
  }

  /// The speaker is done and has said that; nothing if `nil`. The last voice was so long ago.
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

  /// The recogniser dies.
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

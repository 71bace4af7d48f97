import Foundation

/// What a recogniser hears, in the order in which it happens: that somebody speaks as well as what.
///
/// An utterance is `speechStarted`, any number of pauses and guesses, `speechStopped`, and `speechEnded`; what
/// it was comes before its end, as a final result or a rejection, or not at all if nothing was recognised.
public enum HearingEvent: Sendable {
  /// Somebody began to speak, at that second of listening.
  case speechStarted(UUID, at: TimeInterval)
  /// It has been quiet since that second, for a moment.
  case speechPaused(UUID, at: TimeInterval)
  /// The voice is back.
  case speechResumed(UUID, at: TimeInterval)
  /// Nothing more is taken for a part of the utterance, and the last voice in it was heard at that second.
  /// What it was comes next.
  case speechStopped(UUID, lastVoice: TimeInterval)
  /// A guess, or the final reading.
  case result(SpeechRecognitionResult)
  /// Not believed to be meant for the recogniser; takes the place of a final reading.
  case rejected(RejectedUtterance)
  /// The utterance is over, and what there is to say of it has been said.
  case speechEnded(UUID)
  /// The device is away; the recogniser waits for it.
  case deviceLost(SpeechRecognitionError)
  /// The device is back.
  case deviceReturned
}

/// A recogniser that can take part in a conversation: it tells when somebody speaks, can be told when an
/// utterance is over, and can be deaf for a while.
///
/// Laws: `hearing` streams begin and end as those of `results` do, and tell the same results; while
/// `isMuted`, nothing is heard, and an utterance under way is given up and told as ended.
@MainActor
public protocol ConversationalRecognition: SpeechRecognitionProvider {
  /// What is heard from now on, until listening ends.
  var hearing: AsyncStream<HearingEvent> { get }

  /// When an utterance is over; `nil` for the recogniser's own rule. Takes effect at once.
  var endRule: UtteranceEndRule? { get set }

  /// Whether it is deaf. What is played to it then is time that passes, and nothing else.
  var isMuted: Bool { get set }

  /// Ends the utterance that is under way, as if the user had fallen silent.
  func endUtterance()

  /// Says whether a key phrase has to be heard from the next utterance on. The default is for recognisers that
  /// have nothing to wait for one with: who holds the conversation looks for it in the text then.
  func expectKeyPhrase(_ isExpected: Bool)
}

extension ConversationalRecognition {
  /// Does nothing.
  public func expectKeyPhrase(_ isExpected: Bool) {}
}

/// How long it has to be quiet for an utterance to be over, by what has been understood of it so far.
///
/// ```swift
/// let patient = UtteranceEndRule { text in
///   text.hasSuffix(" and") ? .seconds(2) : .milliseconds(700)
/// }
/// ```
public struct UtteranceEndRule: Sendable {
  private let decide: @Sendable (String) -> Duration

  /// A rule. It is asked whenever something new is understood, and should not take long.
  public init(_ silence: @escaping @Sendable (_ text: String) -> Duration) {
    decide = silence
  }

  /// The silence that ends an utterance of which this is understood.
  public func silence(after text: String) -> Duration { decide(text) }
}

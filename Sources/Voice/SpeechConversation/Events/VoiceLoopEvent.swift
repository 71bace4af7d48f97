import Foundation
import SpeechCore

/// An event of a voice loop, with its time.
public struct VoiceLoopEvent: Sendable, Equatable {
  /// The kinds of events.
  public enum Kind: Sendable, Equatable {
    /// The user has the floor.
    case listening
    /// The loop waits for the wake word or the push-to-talk key.
    case asleep
    /// The wake word was heard.
    case awake(String)
    /// The user began to speak.
    case userStarted
    /// The words of the user's turn so far, which may still change.
    case userPartial(String)
    /// The words of the user's turn, which is answered.
    case userFinal(String)
    /// The user said something that is not answered, for the given reason.
    case userIgnored(String, IgnoringReason)
    /// The responder prepares a reply.
    case thinking
    /// The next piece of the reply's text arrived.
    case replyText(String)
    /// A sentence of the reply begins to be heard.
    case speaking(String)
    /// A word of the reply is heard. The range counts Unicode scalars of the whole reply.
    case word(Range<Int>)
    /// The reply is held because the user speaks.
    case replyHeld
    /// The reply continues, because what the user said needs no answer.
    case replyResumed(IgnoringReason)
    /// The user ended the reply. The texts are its heard and unheard parts.
    case interrupted(heard: String, unheard: String)
    /// The reply has been heard to its end.
    case replyFinished(String)
    /// The responder failed before or during the reply.
    case replyFailed(String)
    /// The voice failed. The text events hold what it would have said.
    case voiceFailed(SpeechSynthesisProviderError)
    /// The user stays silent, and the prompt with this number is spoken, counted from one.
    case prompted(Int)
    /// The user has been silent long enough that they are assumed to be gone.
    case away
    /// The recogniser or its device failed, and the loop tries again until it succeeds; or the
    /// recogniser that reads what a grammar rejects failed, and the grammar is still recognised.
    case recognitionFailed(SpeechRecognitionError)
    /// Recognition works again after a failure.
    case recognitionReturned
    /// The stages of the turn were timed.
    case timings(TurnTimings)
    /// The loop has ended; no event follows.
    case ended
  }

  /// The time on the loop's clock, counted from the loop's start.
  public var time: Duration
  /// The number of the turn: 0 before the user's first words.
  public var turn: Int
  /// The kind of event, with its details.
  public var kind: Kind

  /// Creates an event, as for a test of code that handles events.
  public init(time: Duration, turn: Int, kind: Kind) {
    self.time = time
    self.turn = turn
    self.kind = kind
  }
}

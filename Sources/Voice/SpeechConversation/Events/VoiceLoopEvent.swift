import Foundation
import SpeechCore

/// Something that happened in a voice loop, and when.
public struct VoiceLoopEvent: Sendable, Equatable {
  /// What happened.
  public enum Kind: Sendable, Equatable {
    /// The user has the floor.
    case listening
    /// Nothing is heard until the wake word, or the key.
    case asleep
    /// The wake word was heard.
    case awake(String)
    /// The user began to speak.
    case userStarted
    /// What the user is believed to say.
    case userPartial(String)
    /// What the user has said; it is answered.
    case userFinal(String)
    /// Something was said that is not answered, and why.
    case userIgnored(String, IgnoringReason)
    /// A reply is being thought of.
    case thinking
    /// The next piece of the reply's text.
    case replyText(String)
    /// A sentence of the reply is heard from now on.
    case speaking(String)
    /// A word of the reply is heard now: where in the text of the whole reply, in Unicode scalars.
    case word(Range<Int>)
    /// The reply is held, because the user speaks.
    case replyHeld
    /// It goes on, and why.
    case replyResumed(IgnoringReason)
    /// The user ended the reply; this much of it was heard.
    case interrupted(heard: String, unheard: String)
    /// The reply has been heard to its end.
    case replyFinished(String)
    /// No reply came, or it broke off.
    case replyFailed(String)
    /// The reply's sound failed; what it would have said is in the text.
    case voiceFailed(SpeechSynthesisProviderError)
    /// The user says nothing; a prompt is spoken, the first, the second …
    case prompted(Int)
    /// The user counts as gone.
    case away
    /// A device is away, or the recogniser failed; the loop waits and tries again.
    case recognitionFailed(SpeechRecognitionError)
    /// It is back.
    case recognitionReturned
    /// How long the stages of the turn took.
    case timings(TurnTimings)
    /// The loop is over.
    case ended
  }

  /// When it happened, on the loop's clock, counted from the loop's start.
  public var time: Duration
  /// The turn it belongs to: 0 before the user has said anything.
  public var turn: Int
  /// What happened.
  public var kind: Kind

  /// An event.
  public init(time: Duration, turn: Int, kind: Kind) {
    self.time = time
    self.turn = turn
    self.kind = kind
  }
}

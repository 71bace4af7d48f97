import SpeechCore

/// An input of a `TurnMachine`. Replies have numbers that only grow.
package enum TurnInput: Sendable {
  /// The loop listens from now on.
  case opened
  /// The loop pauses or ends: speech is still reported, and nothing is answered, said or done until
  /// the loop is opened again.
  case closed
  /// The recogniser heard something. Its times count from the start of listening, which was then on
  /// the loop's clock.
  case heard(HearingEvent, listeningSince: Duration)
  /// The recogniser has stopped listening; an utterance in progress ends with it.
  case listeningEnded
  /// A key-phrase spotter heard the wake word.
  case wakeWord(String)
  case keyPressed
  case keyReleased
  /// The app wants this text spoken.
  case say(String)
  /// The app ends the reply.
  case interrupt
  /// The next piece of the reply's text arrived.
  case replyText(reply: Int, text: String, isInterruptible: Bool)
  /// The text of the reply is complete.
  case replyComplete(reply: Int)
  /// The responder failed; no more text will arrive.
  case replyFailed(reply: Int, reason: String)
  /// The first sample of a stretch of the reply is being played.
  case audioStarted(reply: Int, isInterruptible: Bool)
  /// All of the reply's text so far has been played.
  case audioEnded(reply: Int)
  case earconEnded
  /// The machine's deadline has passed.
  case timePassed
}

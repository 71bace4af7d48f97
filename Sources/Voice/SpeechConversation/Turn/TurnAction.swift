/// An order of a `TurnMachine` to its owner. Replies have numbers that only grow.
package enum TurnAction: Sendable, Equatable {
  /// Ask the responder. Nothing of the reply may be heard before `.voice`.
  case respond(reply: Int, to: String, isEarly: Bool)
  /// Speak the reply as its text arrives.
  case voice(reply: Int)
  /// Speak this text as a reply that answers nothing.
  case say(reply: Int, text: String)
  /// Speak this text before the rest of the reply.
  case fill(reply: Int, text: String)
  /// Hold the reply's audio at its present position.
  case hold(reply: Int)
  /// Continue a reply that was held.
  case resume(reply: Int)
  /// Discard a reply of which nothing has been heard.
  case discard(reply: Int)
  /// Discard a reply of which nothing has been heard, because the user continued: the next question
  /// contains the words that it answers.
  case supersede(reply: Int)
  /// End the reply at once. The part that was heard stays in the history.
  case interrupt(reply: Int)
  /// Wait no longer for the reply's text. The text that has arrived is still spoken.
  case stopWaiting(reply: Int)
  /// Complete a reply that has been heard to its end.
  case conclude(reply: Int)
  case mute(Bool)
  case endUtterance
  case playEarcon
  /// Report an event to the loop's listeners.
  case report(VoiceLoopEvent.Kind)
}

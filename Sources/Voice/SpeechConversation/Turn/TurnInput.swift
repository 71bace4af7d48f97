/// What a `TurnMachine` is told. Utterances and replies have numbers that only grow.
public enum TurnInput: Sendable, Equatable {
  /// The loop listens from now on.
  case opened
  /// The loop pauses or ends: what is being said is still told, and nothing is answered, said or done any
  /// more until it is opened again.
  case closed
  /// The user began to speak.
  case speechStarted(utterance: Int)
  /// What the utterance is believed to be so far.
  case partial(utterance: Int, text: String)
  /// The user has been quiet for a moment, since that time.
  case speechPaused(utterance: Int, since: Duration)
  /// The user goes on.
  case speechResumed(utterance: Int)
  /// Nothing more is taken for a part of the utterance, and the last voice in it was then.
  case speechStopped(utterance: Int, lastVoice: Duration)
  /// The utterance as it will stay.
  case final(utterance: Int, text: String)
  /// The recogniser does not believe that this was for it.
  case rejected(utterance: Int, text: String)
  /// The utterance is over, and what was recognised has been told.
  case speechEnded(utterance: Int)
  /// A spotter heard the wake word.
  case wakeWord(String)
  /// The key to talk went down.
  case keyPressed
  /// The key to talk went up.
  case keyReleased
  /// We are to say something of our own accord.
  case say(String)
  /// The reply is to end, on somebody's order.
  case interrupt
  /// The next piece of the reply's text.
  case replyText(reply: Int, text: String, isInterruptible: Bool)
  /// The text of the reply is complete.
  case replyComplete(reply: Int)
  /// No more text will come.
  case replyFailed(reply: Int, reason: String)
  /// The first sample of a stretch of the reply is being played.
  case soundStarted(reply: Int, isInterruptible: Bool)
  /// All of the reply's text so far has been played.
  case soundEnded(reply: Int)
  /// The earcon has been played.
  case earconEnded
  /// Nothing but time has passed.
  case timePassed
}

/// What a `TurnMachine` wants done.
public enum TurnAction: Sendable, Equatable {
  /// Ask the responder. Nothing is to be heard of it before `.voice`.
  case respond(reply: Int, to: String, isEarly: Bool)
  /// Say the reply, as its text comes.
  case voice(reply: Int)
  /// Say this as a reply of ours.
  case say(reply: Int, text: String)
  /// Say this before the rest of the reply.
  case fill(reply: Int, text: String)
  /// Hold the sound of the reply where it is.
  case hold(reply: Int)
  /// Go on with it.
  case goOn(reply: Int)
  /// Forget the reply, of which nothing has been heard.
  case abandon(reply: Int)
  /// End the reply at once; what has been heard of it stays in the memory.
  case interrupt(reply: Int)
  /// Do not wait for more text of the reply; what came of it is still said.
  case giveUp(reply: Int)
  /// The reply is complete and has been heard.
  case conclude(reply: Int)
  /// Close or open the microphone's ear.
  case mute(Bool)
  /// End the utterance that is under way.
  case endUtterance
  /// Play the earcon.
  case playEarcon
  /// Tell whoever listens.
  case tell(TurnNews)
}

/// What a `TurnMachine` has to tell.
public enum TurnNews: Sendable, Equatable {
  /// The user has the floor.
  case listening
  /// Nothing is heard until the wake word, or the key.
  case asleep
  /// The wake word was heard.
  case awake(String)
  /// The user speaks.
  case userStarted
  /// What the user is believed to say.
  case userPartial(String)
  /// What the user has said.
  case userFinal(String)
  /// Something was said that is not answered, and why.
  case userIgnored(String, IgnoringReason)
  /// A reply is being thought of.
  case thinking
  /// The reply is held, because the user speaks.
  case replyHeld
  /// It goes on, and why.
  case replyResumed(IgnoringReason)
  /// The reply was ended by the user.
  case replyInterrupted
  /// The reply has been heard to its end.
  case replyFinished
  /// No reply came.
  case replyFailed(String)
  /// The user says nothing; a prompt is spoken.
  case prompted(Int)
  /// The user counts as gone.
  case away
}

/// Why something that was said is not answered.
public enum IgnoringReason: String, Sendable, Equatable, Codable {
  /// Nothing was understood.
  case nothingUnderstood
  /// The recogniser does not believe that it was for it.
  case rejected
  /// A listener's sound.
  case listenerSound
  /// Our own words.
  case ownWords
  /// It was said before the wake word or without the key.
  case notAddressed
  /// A stop word, which is obeyed and not answered.
  case stopWord
  /// It is answered behind what cannot be interrupted.
  case answeredLater
}

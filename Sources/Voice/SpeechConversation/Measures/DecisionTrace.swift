import SpeechAudio
import SpeechCore

/// The decisions of a voice loop: every input on which it acted, its actions, and the reason in
/// words.
///
/// ```swift
/// for decision in loop.trace.decisions.suffix(5) { print(decision) }
/// // 3.120 s: the voice lasted 0.3 s over the reply → hold reply 2
/// ```
/// Only the last `limit` decisions are kept.
public struct DecisionTrace: Sendable, Equatable {
  /// A moment at which the loop acted.
  public struct Decision: Sendable, Equatable, CustomStringConvertible {
    /// The time since the loop's start.
    public var time: Duration
    package var actions: [TurnAction]
    /// The reason in words.
    public var reason: String

    /// The time, the reason and the actions in one line.
    public var description: String {
      "\(time.inMicroseconds) s: \(reason) → "
        + actions.map(\.inWords).joined(separator: ", ")
    }
  }

  /// The number of decisions that are kept.
  public static let limit = 1_000

  /// The last decisions, the oldest first.
  public private(set) var decisions: [Decision] = []

  /// Creates a trace without decisions.
  public init() {}

  mutating func note(
    _ input: TurnInput, _ actions: [TurnAction], at time: Duration, rules: TurnRules
  ) {
    guard !actions.isEmpty else { return }
    if decisions.count == Self.limit { decisions.removeFirst() }
    decisions.append(
      Decision(
        time: time, actions: actions, reason: Self.reason(for: input, actions, rules)))
  }

  private static func reason(
    for input: TurnInput, _ actions: [TurnAction], _ rules: TurnRules
  ) -> String {
    // An action that only time brings about is explained by the rule that set the time.
    for action in actions {
      switch (action, input) {
      case (.report(.userIgnored(_, let why)), _): return "\(input.inWords), \(why.inWords)"
      case (.hold, .audioStarted):
        return "\(input.inWords), and the user was speaking already"
      case (.hold, .heard(.speechStarted, _)):
        return "\(input.inWords), while no sound of the reply was heard"
      case (.hold, _):
        let voice = "the user's voice lasted \(rules.interruption.minimumSpeech.inMicroseconds) s"
        return rules.interruption.minimumWords == 0
          ? voice : "\(voice) and had \(rules.interruption.minimumWords) words"
      case (.endUtterance, .timePassed):
        return "the turn lasted \(rules.maximumTurn.inMicroseconds) s, the longest allowed"
      case (.stopWaiting, .timePassed):
        return "no reply came within \(rules.replyLimit.inMicroseconds) s"
      case (.fill, .timePassed):
        return "no reply came within \((rules.fillerDelay ?? .zero).inMicroseconds) s"
      case (.report(.prompted), .timePassed):
        return "nobody said anything for \((rules.prompt?.after ?? .zero).inMicroseconds) s"
      case (.report(.away), .timePassed):
        return "the user said nothing for \((rules.awayAfter ?? .zero).inMicroseconds) s"
      case (.report(.asleep), .timePassed): return "nobody said anything in the wake word's window"
      case (.mute(false), .timePassed):
        return "our own sound is over since \(rules.echoTail.inMicroseconds) s"
      default: continue
      }
    }
    return input.inWords
  }
}

extension TurnInput {
  var inWords: String {
    switch self {
    case .opened: "the loop began"
    case .closed: "the loop pauses or ends"
    case .heard(let event, _): event.inWords
    case .listeningEnded: "listening ended"
    case .wakeWord(let phrase): "the wake word “\(phrase)” was heard"
    case .keyPressed: "the key was pressed"
    case .keyReleased: "the key was released"
    case .say(let text): "the app says “\(text)”"
    case .interrupt: "the app ended the reply"
    case .replyText: "text of the reply arrived"
    case .replyComplete: "the reply's text is complete"
    case .replyFailed(_, let reason): "the reply failed (\(reason))"
    case .audioStarted: "the reply starts to play"
    case .audioEnded: "the reply has been played"
    case .earconEnded: "the earcon was played"
    case .timePassed: "time passed"
    }
  }
}

extension HearingEvent {
  var inWords: String {
    switch self {
    case .speechStarted: "the user began to speak"
    case .speechPaused: "the user paused"
    case .speechResumed: "the user continued"
    case .speechStopped: "the user fell silent"
    case .result(let result) where result.isFinal: "“\(result.text)” was said"
    case .result(let result): "“\(result.text)” is understood so far"
    case .rejected(let rejected): "“\(rejected.nearest.text)” was rejected"
    case .speechEnded: "the utterance is over"
    case .deviceLost: "the microphone is lost"
    case .deviceReturned: "the microphone is back"
    }
  }
}

extension TurnAction {
  var inWords: String {
    switch self {
    case .respond(let reply, let text, let isEarly):
      "ask for reply \(reply) to “\(text)”" + (isEarly ? " early" : "")
    case .voice(let reply): "speak reply \(reply)"
    case .say(let reply, let text): "say “\(text)” as reply \(reply)"
    case .fill(let reply, let text): "say “\(text)” before reply \(reply)"
    case .hold(let reply): "hold reply \(reply)"
    case .resume(let reply): "resume reply \(reply)"
    case .discard(let reply): "discard reply \(reply)"
    case .supersede(let reply): "discard reply \(reply), whose question continues"
    case .interrupt(let reply): "end reply \(reply)"
    case .stopWaiting(let reply): "stop waiting for reply \(reply)"
    case .conclude(let reply): "reply \(reply) is done"
    case .mute(let isMuted): isMuted ? "mute the microphone" : "unmute the microphone"
    case .endUtterance: "end the utterance"
    case .playEarcon: "play the earcon"
    case .report(let kind): "report that \(kind.inWords)"
    }
  }
}

extension VoiceLoopEvent.Kind {
  var inWords: String {
    switch self {
    case .listening: "the user has the floor"
    case .asleep: "the loop waits for its wake word or key"
    case .awake(let phrase): "“\(phrase)” was heard"
    case .userStarted: "the user speaks"
    case .userPartial(let text): "“\(text)” is understood so far"
    case .userFinal(let text): "the user said “\(text)”"
    case .userIgnored(let text, _): "“\(text)” is ignored"
    case .thinking: "a reply is being prepared"
    case .replyText(let text): "“\(text)” is part of the reply"
    case .speaking(let sentence): "“\(sentence)” is being spoken"
    case .word: "the next word is being spoken"
    case .replyHeld: "the reply is held"
    case .replyResumed: "the reply continues"
    case .interrupted: "the reply was interrupted"
    case .replyFinished: "the reply was heard"
    case .replyFailed(let reason): "the reply failed (\(reason))"
    case .voiceFailed: "the voice failed"
    case .prompted(let number): "prompt \(number) is spoken"
    case .away: "the user is away"
    case .recognitionFailed: "recognition failed"
    case .recognitionReturned: "recognition is back"
    case .timings: "the turn was timed"
    case .ended: "the loop ended"
    }
  }
}

import SpeechAudio

/// Why a loop did what it did: every input that made its machine act, what it did, and the reason in words.
///
/// ```swift
/// for decision in loop.trace.decisions.suffix(5) { print(decision) }
/// // 3.120 s: the voice lasted 0.3 s over the reply → hold reply 2
/// ```
/// Only the last `limit` decisions are kept.
public struct DecisionTrace: Sendable, Equatable {
  /// A moment at which the machine acted.
  public struct Decision: Sendable, Equatable, CustomStringConvertible {
    /// When, since the loop's start.
    public var time: Duration
    /// What happened.
    public var input: TurnInput
    /// What was done.
    public var actions: [TurnAction]
    /// Why, in words.
    public var reason: String

    /// All of it in a line.
    public var description: String {
      "\(time.inMicroseconds) s: \(reason) → "
        + actions.map(\.inWords).joined(separator: ", ")
    }
  }

  /// How many decisions are kept.
  public static let limit = 1_000

  /// The last decisions, the oldest first.
  public private(set) var decisions: [Decision] = []

  /// A trace without a decision.
  public init() {}

  mutating func note(
    _ input: TurnInput, _ actions: [TurnAction], at time: Duration, rules: TurnRules
  ) {
    guard !actions.isEmpty else { return }
    if decisions.count == Self.limit { decisions.removeFirst() }
    decisions.append(
      Decision(
        time: time, input: input, actions: actions,
        reason: Self.reason(for: input, actions, rules)))
  }

  private static func reason(
    for input: TurnInput, _ actions: [TurnAction], _ rules: TurnRules
  ) -> String {
    // What only time brings about is said by the rule that set the time.
    for action in actions {
      switch (action, input) {
      case (.tell(.userIgnored(_, let why)), _): return "\(input.inWords), \(why.inWords)"
      case (.hold, .soundStarted):
        return "\(input.inWords), and the user was speaking already"
      case (.hold, _):
        let voice = "the user's voice lasted \(rules.interruption.minimumSpeech.inMicroseconds) s"
        return rules.interruption.minimumWords == 0
          ? voice : "\(voice) and had \(rules.interruption.minimumWords) words"
      case (.endUtterance, .timePassed):
        return "the turn lasted \(rules.maximumTurn.inMicroseconds) s, the longest allowed"
      case (.giveUp, .timePassed):
        return "no reply came within \(rules.replyLimit.inMicroseconds) s"
      case (.fill, .timePassed):
        return "no reply came within \((rules.patience ?? .zero).inMicroseconds) s"
      case (.tell(.prompted), .timePassed):
        return "nobody said anything for \((rules.prompt?.after ?? .zero).inMicroseconds) s"
      case (.tell(.away), .timePassed):
        return "the user said nothing for \((rules.awayAfter ?? .zero).inMicroseconds) s"
      case (.tell(.asleep), .timePassed): return "nobody said anything in the wake word's window"
      case (.mute(false), .timePassed):
        return "our own sound is over since \(rules.echoTail.inMicroseconds) s"
      default: continue
      }
    }
    return input.inWords
  }
}

extension TurnInput {
  /// What happened, in words.
  var inWords: String {
    switch self {
    case .opened: "the loop began"
    case .closed: "the loop pauses or ends"
    case .speechStarted: "the user began to speak"
    case .partial(_, let text): "“\(text)” is understood so far"
    case .speechPaused: "the user paused"
    case .speechResumed: "the user went on"
    case .speechStopped: "the user fell silent"
    case .final(_, let text): "“\(text)” was said"
    case .rejected(_, let text): "“\(text)” was not believed"
    case .speechEnded: "the utterance is over"
    case .wakeWord(let phrase): "the wake word “\(phrase)” was heard"
    case .keyPressed: "the key went down"
    case .keyReleased: "the key went up"
    case .say(let text): "we were told to say “\(text)”"
    case .interrupt: "the reply was ended by order"
    case .replyText: "text of the reply came"
    case .replyComplete: "the reply's text is complete"
    case .replyFailed(_, let reason): "the reply failed (\(reason))"
    case .soundStarted: "the reply begins to be heard"
    case .soundEnded: "the reply's sound is over"
    case .earconEnded: "the earcon was played"
    case .timePassed: "time passed"
    }
  }
}

extension TurnAction {
  /// What is to be done, in words.
  var inWords: String {
    switch self {
    case .respond(let reply, let text, let isEarly):
      "ask for reply \(reply) to “\(text)”" + (isEarly ? " early" : "")
    case .voice(let reply): "say reply \(reply)"
    case .say(let reply, let text): "say “\(text)” as reply \(reply)"
    case .fill(let reply, let text): "say “\(text)” before reply \(reply)"
    case .hold(let reply): "hold reply \(reply)"
    case .goOn(let reply): "go on with reply \(reply)"
    case .abandon(let reply): "forget reply \(reply)"
    case .interrupt(let reply): "end reply \(reply)"
    case .giveUp(let reply): "wait no longer for reply \(reply)"
    case .conclude(let reply): "reply \(reply) is done"
    case .mute(let isMuted): isMuted ? "close the microphone" : "open the microphone"
    case .endUtterance: "end the utterance"
    case .playEarcon: "play the earcon"
    case .tell(let news): "tell that \(news.inWords)"
    }
  }
}

extension TurnNews {
  /// What is told, in words.
  var inWords: String {
    switch self {
    case .listening: "the user has the floor"
    case .asleep: "nothing is heard until it is called"
    case .awake(let phrase): "“\(phrase)” was heard"
    case .userStarted: "the user speaks"
    case .userPartial: "the user says this"
    case .userFinal(let text): "the user said “\(text)”"
    case .userIgnored(let text, _): "“\(text)” is ignored"
    case .thinking: "a reply is thought of"
    case .replyHeld: "the reply is held"
    case .replyResumed: "the reply goes on"
    case .replyInterrupted: "the reply was interrupted"
    case .replyFinished: "the reply was heard"
    case .replyFailed(let reason): "the reply failed (\(reason))"
    case .prompted(let number): "prompt \(number) is spoken"
    case .away: "the user is away"
    }
  }
}

extension IgnoringReason {
  /// Why it was not answered, in words.
  public var inWords: String {
    switch self {
    case .nothingUnderstood: "of which nothing was understood"
    case .rejected: "which was not believed to be meant for us"
    case .listenerSound: "which is what listeners say"
    case .ownWords: "which are our own words"
    case .notAddressed: "which was not addressed to us"
    case .stopWord: "which is a stop word"
    case .answeredLater: "which is answered behind what cannot be interrupted"
    }
  }
}

/// The rules of turn-taking: when the user has the floor, when a turn is over, and what ends a
/// reply.
///
/// ```swift
/// var rules = TurnRules()
/// rules.attention = .wakeWord(["computer"], window: .seconds(8))
/// rules.interruption.minimumWords = 2
/// ```
public struct TurnRules: Sendable, Hashable, Codable {
  /// The condition under which speech is addressed to the loop.
  public enum Attention: Sendable, Hashable, Codable {
    /// All speech is addressed to the loop.
    case always
    /// Speech is addressed to the loop after one of the phrases, until both sides have been silent
    /// for the window.
    case wakeWord([String], window: Duration)
    /// Speech is addressed to the loop while a key is held, or from a press to the next release.
    case pushToTalk
  }

  /// The condition under which the user's voice ends a reply.
  public struct Interruption: Sendable, Hashable, Codable {
    /// True if the user can interrupt at all. A stop word always ends a reply.
    public var isAllowed: Bool
    /// The duration of speech after which the reply is held.
    public var minimumSpeech: Duration
    /// The number of understood words after which the reply is held; 0 if any voice holds it.
    public var minimumWords: Int
    /// The phrases of a listener who does not want the floor. The reply continues after them.
    public var listenerSounds: Set<String>
    /// The phrases that end a reply in any case and are not answered.
    public var stopWords: Set<String>

    /// Creates rules that suit an English assistant.
    public init(
      isAllowed: Bool = true, minimumSpeech: Duration = .milliseconds(300), minimumWords: Int = 0,
      listenerSounds: Set<String> = [
        "mhm", "mm", "hm", "hmm", "uh", "um", "uh-huh", "oh", "ah", "aha", "yeah", "yep", "okay",
        "ok",
        "right", "i see",
      ],
      stopWords: Set<String> = ["stop", "quiet", "be quiet", "shut up", "cancel", "silence"]
    ) {
      self.isAllowed = isAllowed
      self.minimumSpeech = minimumSpeech
      self.minimumWords = minimumWords
      self.listenerSounds = listenerSounds
      self.stopWords = stopWords
    }
  }

  /// Prompts for a user who says nothing.
  public struct Prompt: Sendable, Hashable, Codable {
    /// The silence of both sides before each prompt.
    public var after: Duration
    /// The prompts in order. No prompt follows the last one.
    public var texts: [String]

    /// Creates prompts that follow silence.
    public init(after: Duration, texts: [String]) {
      self.after = after
      self.texts = texts
    }
  }

  /// The condition under which speech is addressed to the loop.
  public var attention: Attention
  /// The longest turn. Speech after it belongs to the next turn.
  public var maximumTurn: Duration
  /// The condition under which the user's voice ends a reply.
  public var interruption: Interruption
  /// True if the microphone is muted while the loop speaks, for machines whose microphone picks up
  /// the loudspeaker.
  public var isHalfDuplex: Bool
  /// The time after the last sample until the room is quiet again, if `isHalfDuplex`.
  public var echoTail: Duration
  /// True if words that the loop has just said count as its echo.
  public var ignoresOwnWords: Bool
  /// True if a reply is requested during a pause in which the user may still continue.
  public var answersEarly: Bool
  /// The prompts for a user who says nothing; `nil` for none.
  public var prompt: Prompt?
  /// The silence of both sides after which the user is assumed to be gone; `nil` for never.
  public var awayAfter: Duration?
  /// The time without a reply after which `fillerText` is spoken; `nil` for never.
  public var fillerDelay: Duration?
  /// The text that is spoken while a reply takes long. Nothing is spoken if it is empty.
  public var fillerText: String
  /// The time limit for the first piece of a reply, and for each piece after the one before.
  public var replyLimit: Duration
  /// The text that is spoken if no reply arrives. Nothing is spoken if it is empty.
  public var failureText: String
  /// True if an earcon confirms the wake word.
  public var hasEarcon: Bool

  /// Creates rules that suit an English conversation.
  public init(
    attention: Attention = .always, maximumTurn: Duration = .seconds(60),
    interruption: Interruption = Interruption(), isHalfDuplex: Bool = false,
    echoTail: Duration = .milliseconds(200), ignoresOwnWords: Bool = true,
    answersEarly: Bool = false, prompt: Prompt? = nil, awayAfter: Duration? = nil,
    fillerDelay: Duration? = .seconds(4), fillerText: String = "One moment.",
    replyLimit: Duration = .seconds(30), failureText: String = "Sorry, that did not work.",
    hasEarcon: Bool = true
  ) {
    self.attention = attention
    self.maximumTurn = maximumTurn
    self.interruption = interruption
    self.isHalfDuplex = isHalfDuplex
    self.echoTail = echoTail
    self.ignoresOwnWords = ignoresOwnWords
    self.answersEarly = answersEarly
    self.prompt = prompt
    self.awayAfter = awayAfter
    self.fillerDelay = fillerDelay
    self.fillerText = fillerText
    self.replyLimit = replyLimit
    self.failureText = failureText
    self.hasEarcon = hasEarcon
  }
}

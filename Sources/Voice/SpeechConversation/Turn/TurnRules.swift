/// How turns are taken: when the user has the floor, when a turn is over, and what ends a reply.
///
/// ```swift
/// var rules = TurnRules()
/// rules.attention = .wakeWord(["computer"], window: .seconds(8))
/// rules.interruption.minimumWords = 2
/// ```
public struct TurnRules: Sendable, Hashable, Codable {
  /// When what is said is meant for us.
  public enum Attention: Sendable, Hashable, Codable {
    /// Always.
    case always
    /// After one of these phrases, and then until nobody has said anything for that long.
    case wakeWord([String], window: Duration)
    /// While a key is held, or from one press to the next release.
    case pushToTalk
  }

  /// What of the user's voice ends a reply that is being spoken.
  public struct Interruption: Sendable, Hashable, Codable {
    /// Whether the user can interrupt at all; a stop word always does.
    public var isAllowed: Bool
    /// How long the user has to speak until the reply is held.
    public var minimumSpeech: Duration
    /// How many words have to be understood until the reply is held; with 0 the voice is enough.
    public var minimumWords: Int
    /// What a listener says without wanting the floor: after it the reply goes on.
    public var listenerSounds: Set<String>
    /// What ends a reply in any case, and is not answered.
    public var stopWords: Set<String>

    /// Rules that suit an assistant in English.
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

  /// What is said when the user says nothing.
  public struct Prompt: Sendable, Hashable, Codable {
    /// How long after the last word of either.
    public var after: Duration
    /// What is said the first time, the second …; after the last of them nothing more.
    public var texts: [String]

    /// A prompt.
    public init(after: Duration, texts: [String]) {
      self.after = after
      self.texts = texts
    }
  }

  /// When what is said is meant for us.
  public var attention: Attention
  /// The longest turn; what goes on after it is the next one.
  public var maximumTurn: Duration
  /// What ends a reply that is being spoken.
  public var interruption: Interruption
  /// Whether the microphone hears nothing while we speak, for machines where our own voice would come back
  /// through it.
  public var isHalfDuplex: Bool
  /// How long after the last sample was played the room is quiet again, where `isHalfDuplex`.
  public var echoTail: Duration
  /// Whether words that we have just said ourselves count as an echo.
  public var ignoresOwnWords: Bool
  /// Whether a reply is thought of while the user may still go on.
  public var answersEarly: Bool
  /// What is said when the user says nothing.
  public var prompt: Prompt?
  /// After how long without a word of either the user counts as gone.
  public var awayAfter: Duration?
  /// How long a reply may be in coming until `fillerText` is said.
  public var fillerDelay: Duration?
  /// What is said when a reply is long in coming.
  public var fillerText: String
  /// How long a reply may be in coming at all, and each of its pieces after the one before.
  public var replyLimit: Duration
  /// What is said when no reply comes; nothing if empty.
  public var failureText: String
  /// Whether a sound tells that the wake word was heard.
  public var hasEarcon: Bool

  /// Rules that suit a conversation.
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

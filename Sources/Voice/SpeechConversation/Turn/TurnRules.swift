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
    public var isAllowed = true
    /// The duration of speech after which a sounding reply is held. One that makes no sound is held
    /// at once.
    public var minimumSpeech = Duration.milliseconds(300)
    /// The number of understood words after which the reply is held; 0 if any voice holds it.
    public var minimumWords = 0
    /// The phrases of a listener who does not want the floor. The reply continues after them.
    public var listenerSounds: Set = [
      "mhm", "mm", "hm", "hmm", "uh", "um", "uh-huh", "oh", "ah", "aha", "yeah", "yep", "okay",
      "ok", "right", "i see",
    ]
    /// The phrases that end a reply in any case and are not answered.
    public var stopWords: Set = ["stop", "quiet", "be quiet", "shut up", "cancel", "silence"]

    /// Creates rules that suit an English assistant.
    public init() {}
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
  public var attention = Attention.always
  /// The longest turn. Speech after it belongs to the next turn.
  public var maximumTurn = Duration.seconds(60)
  /// The condition under which the user's voice ends a reply.
  public var interruption = Interruption()
  /// True if the microphone is muted while the loop speaks, for machines whose microphone picks up
  /// the loudspeaker.
  public var isHalfDuplex = false
  /// The time after the last sample until the room is quiet again, if `isHalfDuplex`.
  public var echoTail = Duration.milliseconds(200)
  /// True if words that the loop has just said count as its echo.
  public var ignoresOwnWords = true
  /// True if a reply is requested during a pause in which the user may still continue.
  public var answersEarly = false
  /// The prompts for a user who says nothing; `nil` for none.
  public var prompt: Prompt?
  /// The silence of both sides after which the user is assumed to be gone; `nil` for never.
  public var awayAfter: Duration?
  /// The time without a reply after which `fillerText` is spoken; `nil` for never.
  public var fillerDelay: Duration? = .seconds(4)
  /// The text that is spoken while a reply takes long. Nothing is spoken if it is empty.
  public var fillerText = "One moment."
  /// The time limit for the first piece of a reply, and for each piece after the one before.
  public var replyLimit = Duration.seconds(30)
  /// The text that is spoken if no reply arrives. Nothing is spoken if it is empty.
  public var failureText = "Sorry, that did not work."
  /// True if an earcon confirms the wake word.
  public var hasEarcon = true

  /// Creates rules that suit an English conversation.
  public init() {}
}

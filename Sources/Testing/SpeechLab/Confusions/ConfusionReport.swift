/// The commands of a grammar that are confused with each other, with the causes.
///
/// ```swift
/// for confusion in report.confusions where confusion.changesMeaning {
///   print(confusion.said, "→", confusion.heard, confusion.count)
/// }
/// ```
public struct ConfusionReport: Sendable, Hashable, Codable {
  /// A command under test.
  public struct Command: Sendable, Hashable, Codable {
    /// The words of the command.
    public var text: String
    /// The intent of the command.
    public var intent: String
    /// The share of trials that were recognised word for word.
    public var exact: Proportion
    /// The share of trials that were recognised with the right meaning.
    public var understood: Proportion
  }

  /// A command that was recognised as something else.
  public struct Confusion: Sendable, Hashable, Codable {
    /// The command that was spoken.
    public var said: String
    /// The text that was recognised; empty if there was none.
    public var heard: String
    /// The share of this confusion among all trials of the command.
    public var count: Proportion
    /// True if the recognised text means something else to the app, or nothing.
    public var changesMeaning: Bool
    /// The number of confusions at each noise level, in the order of the conditions.
    public var countsByLevel: [Int]
    /// The words in which the two texts differ.
    public var words: [WordConfusion]
    /// A suggestion how to avoid the confusion.
    public var advice: String
  }

  /// A word that was recognised as another.
  public struct WordConfusion: Sendable, Hashable, Codable {
    /// The words that were spoken; empty for an insertion.
    public var said: String
    /// The words that were recognised; empty for a deletion.
    public var heard: String
    /// The number of times that it happened.
    public var count: Int
  }

  /// The share of understood commands under one condition.
  public struct Share: Sendable, Hashable, Codable {
    /// The noise level or the speaker.
    public var name: String
    /// The share of commands that were understood.
    public var understood: Proportion
  }

  /// The name of the grammar.
  public var grammar: String
  /// The number of its sentences, in digits or in words.
  public var sentences: String
  /// True if every sentence was tested.
  public var isComplete: Bool
  /// The speakers and the noise.
  public var conditions: SpeakingConditions
  /// The commands that were tested, in the order of the grammar.
  public var commands: [Command]
  /// The confusions: those that change the meaning first, and among them the most frequent first.
  public var confusions: [Confusion]
  /// The words that cause confusions of meaning, the most frequent first.
  public var words: [WordConfusion]
  /// The results by noise level.
  public var levels: [Share]
  /// The results by speaker.
  public var speakers: [Share]

  /// The share of all trials that were understood.
  public var understood: Proportion {
    Proportion(
      commands.reduce(0) { $0 + $1.understood.count },
      of: commands.reduce(0) { $0 + $1.understood.total })
  }

  /// The confusions that an app notices.
  public var harmful: [Confusion] { confusions.filter(\.changesMeaning) }
}

/// Which commands of a grammar are mistaken for which, and why.
///
/// ```swift
/// for confusion in report.confusions where confusion.changesMeaning {
///   print(confusion.said, "→", confusion.heard, confusion.count)
/// }
/// ```
public struct ConfusionReport: Sendable, Hashable, Codable {
  /// A command that was tried.
  public struct Command: Sendable, Hashable, Codable {
    /// The sentence.
    public var text: String
    /// The intent that it belongs to.
    public var intent: String
    /// How often it was heard as it was said.
    public var exact: Proportion
    /// How often what was heard means the same.
    public var understood: Proportion
  }

  /// A command that was heard as something else.
  public struct Confusion: Sendable, Hashable, Codable {
    /// What was said.
    public var said: String
    /// What was heard; empty if nothing was.
    public var heard: String
    /// How often, of all times that it was said.
    public var count: Proportion
    /// Whether what was heard means something else to the app, or nothing.
    public var changesMeaning: Bool
    /// How often at each level of noise, in the order of the conditions.
    public var countsByLevel: [Int]
    /// The words in which they part.
    public var words: [WordConfusion]
    /// What to do about it.
    public var advice: String
  }

  /// Words that were taken for others.
  public struct WordConfusion: Sendable, Hashable, Codable {
    /// What was said; empty if something was added.
    public var said: String
    /// What was heard; empty if something was missing.
    public var heard: String
    /// How often.
    public var count: Int
  }

  /// How well commands were understood under one condition.
  public struct Share: Sendable, Hashable, Codable {
    /// The level of noise, or the speaker.
    public var name: String
    /// How many were understood.
    public var understood: Proportion
  }

  /// The name of the grammar.
  public var grammar: String
  /// How many sentences it has, as a number or in words.
  public var sentences: String
  /// Whether all of them were tried.
  public var isComplete: Bool
  /// Who spoke, and over what.
  public var conditions: SpeakingConditions
  /// What was tried, in the order of the grammar.
  public var commands: [Command]
  /// What was mistaken for what: first what changes the meaning, the most frequent first.
  public var confusions: [Confusion]
  /// The words that cause confusions that change the meaning, the most frequent first.
  public var words: [WordConfusion]
  /// By noise.
  public var levels: [Share]
  /// By speaker.
  public var speakers: [Share]

  /// How many were understood of all.
  public var understood: Proportion {
    Proportion(
      commands.reduce(0) { $0 + $1.understood.count },
      of: commands.reduce(0) { $0 + $1.understood.total })
  }

  /// Those that an app notices.
  public var harmful: [Confusion] { confusions.filter(\.changesMeaning) }
}

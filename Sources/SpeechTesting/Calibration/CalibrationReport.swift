/// What confidence sentences of a grammar and other speech get, and which threshold parts them.
///
/// ```swift
/// if let threshold = report.threshold(falseAccepts: 0.02) {
///   print(threshold.value, threshold.falseRejects.share)
/// }
/// ```
public struct CalibrationReport: Sendable, Hashable, Codable {
  /// What was said.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A sentence of the grammar.
    case command
    /// Everyday English.
    case ordinary
    /// A command that other programs are given.
    case otherCommand
    /// A sentence of the grammar with a wrong, a missing or an additional word.
    case nearMiss
  }

  /// One sentence, said once.
  public struct Trial: Sendable, Hashable, Codable {
    /// What was said.
    public var kind: Kind
    /// The sentence.
    public var said: String
    /// The number of the speaker in the conditions.
    public var speaker: Int
    /// The number of the level of noise in the conditions.
    public var level: Int
    /// What was heard; empty if nothing was.
    public var heard: String
    /// How sure the recogniser was.
    public var confidence: Float
  }

  /// A threshold, and what it leads to.
  public struct Threshold: Sendable, Hashable, Codable {
    /// From this confidence on a sentence is believed.
    public var value: Float
    /// Other speech that is believed: everyday English and commands of other programs.
    public var falseAccepts: Proportion
    /// Sentences of the grammar that are not believed.
    public var falseRejects: Proportion
    /// Near misses that are believed. Many can hardly be told from a sentence of the grammar by ear, so they
    /// are counted by themselves.
    public var acceptedNearMisses: Proportion
  }

  /// The name of the grammar.
  public var grammar: String
  /// Who spoke, and over what.
  public var conditions: SpeakingConditions
  /// All that was said.
  public var trials: [Trial]

  /// A report of these trials.
  public init(grammar: String, conditions: SpeakingConditions, trials: [Trial]) {
    self.grammar = grammar
    self.conditions = conditions
    self.trials = trials
  }

  /// What a threshold leads to, at all levels of noise or at one.
  public func outcome(of value: Float, level: Int? = nil) -> Threshold {
    var threshold = Threshold(
      value: value, falseAccepts: Proportion(0, of: 0), falseRejects: Proportion(0, of: 0),
      acceptedNearMisses: Proportion(0, of: 0))
    for trial in trials where level == nil || trial.level == level {
      let isAccepted = !trial.heard.isEmpty && trial.confidence >= value
      switch trial.kind {
      case .command: threshold.falseRejects.add(!isAccepted)
      case .ordinary, .otherCommand: threshold.falseAccepts.add(isAccepted)
      case .nearMiss: threshold.acceptedNearMisses.add(isAccepted)
      }
    }
    return threshold
  }

  /// The lowest threshold, in hundredths, at which no larger a share of other speech is believed; `nil` if
  /// there is none.
  ///
  /// The share is that of these trials; its interval tells how sure that is.
  public func threshold(falseAccepts wanted: Double) -> Threshold? {
    curve().first { $0.falseAccepts.share <= wanted }
  }

  /// What the thresholds from 0 to 1 lead to, in steps of a hundredth.
  public func curve(level: Int? = nil) -> [Threshold] {
    (0...100).map { outcome(of: Float($0) / 100, level: level) }
  }
}

/// What confidence sentences of a grammar and other speech get, and which threshold parts them.
///
/// ```swift
/// if let threshold = report.threshold(falseAccepts: 0.02) {
///   print(threshold.value, threshold.falseRejects.share)
/// }
/// ```
public struct CalibrationReport: Sendable, Hashable, Codable {
  /// What was said.
  public typealias Kind = RejectionCurve.Kind
  /// A threshold, and what it leads to.
  public typealias Threshold = RejectionCurve.Threshold

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

  /// How well confidence parts what was said, at all levels of noise or at one.
  public func rejection(level: Int? = nil) -> RejectionCurve {
    RejectionCurve(
      trials: trials.filter { level == nil || $0.level == level }.map {
        .init(kind: $0.kind, said: $0.said, heard: $0.heard, confidence: $0.confidence)
      })
  }

  /// What a threshold leads to, at all levels of noise or at one.
  public func outcome(of value: Float, level: Int? = nil) -> Threshold {
    rejection(level: level).outcome(of: value)
  }

  /// The lowest threshold, in hundredths, at which no larger a share of other speech is believed; `nil` if
  /// there is none.
  ///
  /// The share is that of these trials; its interval tells how sure that is.
  public func threshold(falseAccepts wanted: Double) -> Threshold? {
    rejection().threshold(falseAccepts: wanted)
  }

  /// What the thresholds from 0 to 1 lead to, in steps of a hundredth.
  public func curve(level: Int? = nil) -> [Threshold] {
    rejection(level: level).thresholds
  }
}

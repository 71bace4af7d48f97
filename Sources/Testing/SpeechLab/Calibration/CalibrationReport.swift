/// The confidence of grammar sentences and of other speech, and the thresholds that separate them.
///
/// ```swift
/// if let threshold = report.threshold(falseAccepts: 0.02) {
///   print(threshold.value, threshold.falseRejects.share)
/// }
/// ```
public struct CalibrationReport: Sendable, Hashable, Codable {
  /// One sentence, spoken once.
  public struct Trial: Sendable, Hashable, Codable {
    /// The kind of the sentence.
    public var kind: RejectionCurve.Kind
    /// The sentence that was spoken.
    public var said: String
    /// The index of the speaker in the conditions.
    public var speaker: Int
    /// The index of the noise level in the conditions.
    public var level: Int
    /// The text that was recognised; empty if there was none.
    public var heard: String
    /// The confidence of the recogniser.
    public var confidence: Float
  }

  /// The name of the grammar.
  public var grammar: String
  /// The speakers and the noise.
  public var conditions: SpeakingConditions
  /// The sentences that were spoken.
  public var trials: [Trial]

  /// Returns the separation of commands from other speech by confidence, over all noise levels or
  /// at one.
  public func rejection(level: Int? = nil) -> RejectionCurve {
    RejectionCurve(
      trials: trials.filter { level == nil || $0.level == level }.map {
        .init(kind: $0.kind, said: $0.said, heard: $0.heard, confidence: $0.confidence)
      })
  }

  /// Returns the lowest threshold, in hundredths, whose share of false accepts is not above the
  /// given one; `nil` if there is none.
  ///
  /// The share is that of these trials; its interval says how certain it is.
  public func threshold(falseAccepts wanted: Double) -> RejectionCurve.Threshold? {
    rejection().threshold(falseAccepts: wanted)
  }
}

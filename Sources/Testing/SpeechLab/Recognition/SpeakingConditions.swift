/// By whom lines are said and over what noise: each line by each speaker at each level.
///
/// ```swift
/// let conditions = SpeakingConditions(speakers: Speaker.cast(4, seed: 1))
/// ```
public struct SpeakingConditions: Sendable, Hashable, Codable {
  /// Who speaks.
  public var speakers: [Speaker]
  /// The noise under the speech.
  public var levels: [NoiseLevel]
  /// All that is done by chance depends on it alone.
  public var seed: UInt64

  /// Speakers and noise; without more said, four voices without noise, at 20 and at 10 dB of pink noise.
  public init(
    speakers: [Speaker]? = nil,
    levels: [NoiseLevel] = [
      .clean, NoiseLevel(.pink, decibels: 20), NoiseLevel(.pink, decibels: 10),
    ], seed: UInt64 = 1
  ) {
    self.speakers = speakers ?? Speaker.cast(4, seed: seed)
    self.levels = levels
    self.seed = seed
  }

  /// How often each line is said.
  public var count: Int { speakers.count * levels.count }
}

/// The speakers and the noise of a study. Each speaker says each line at each noise level.
///
/// ```swift
/// let conditions = SpeakingConditions(speakers: Speaker.cast(4, seed: 1))
/// ```
public struct SpeakingConditions: Sendable, Hashable, Codable {
  /// The speakers in order.
  public var speakers: [Speaker]
  /// The noise levels in order.
  public var levels: [NoiseLevel]
  /// The seed of all random choices.
  public var seed: UInt64

  /// Creates conditions; by default four voices without noise and with pink noise at 20 and 10 dB.
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

  /// The number of times that each line is spoken.
  public var count: Int { speakers.count * levels.count }
}

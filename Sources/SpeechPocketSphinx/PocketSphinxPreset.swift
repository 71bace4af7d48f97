/// How much work a decoder puts into an utterance.
///
/// Measured with the general English model on 35 recordings of read speech (753 words); the processor
/// time is that of one core for each second of sound, beside the library's own defaults.
public enum PocketSphinxPreset: String, Sendable, Hashable, Codable, CaseIterable {
  /// About half the time of the defaults, for less than a point of word error rate: one pass, and
  /// fewer hypotheses at a time.
  case fast
  /// Two passes over a bounded number of hypotheses.
  case balanced
  /// All that the library can do.
  case accurate

  /// The library's options for searching with a language model.
  package var options: [String] {
    switch self {
    case .fast: ["-fwdflat", "no", "-maxhmmpf", "5000", "-maxwpf", "20"]
    case .balanced: ["-maxhmmpf", "10000", "-maxwpf", "40"]
    case .accurate: []
    }
  }
}

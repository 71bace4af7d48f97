/// The effort of dictation. A grammar and key phrases need no preset: they cost a tenth of it.
///
/// Measured with the general English model on 35 recordings of read speech (753 words), each with
/// its own cepstral mean; the library's own settings make 32.7 % word errors.
public enum PocketSphinxPreset: String, Sendable, Hashable, Codable, CaseIterable {
  /// One pass over few hypotheses: half of the processor time of the library's own settings, with
  /// 33.7 % word errors.
  case fast
  /// Two passes over a bounded number of hypotheses: the processor time of the library's own
  /// settings, with 29.2 % word errors.
  case balanced
  /// Only the library's own bound on hypotheses: a little more time than balanced, for recordings
  /// with more alternatives. On the measured ones it makes no difference.
  case accurate

  /// The weights of the language model in the three passes. A little less than the library's
  /// defaults: read speech has a tenth fewer word errors, and other speech as many as before.
  private static let weights = ["-lw", "6", "-fwdflatlw", "7.5", "-bestpathlw", "8.5"]

  /// The library's options for searching with a language model.
  package var options: [String] {
    switch self {
    case .fast:
      ["-fwdflat", "no", "-maxhmmpf", "3000", "-maxwpf", "10", "-bestpathlw", "8"]
    case .balanced: Self.weights + ["-maxhmmpf", "10000", "-maxwpf", "40"]
    case .accurate: Self.weights
    }
  }
}

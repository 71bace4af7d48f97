/// How much work a decoder puts into dictation. A grammar and key phrases need no preset: they cost a
/// tenth of it.
///
/// Measured with the general English model on 35 recordings of read speech (753 words), each under its
/// own cepstral mean; the library's own settings make 32.7 % word errors.
public enum PocketSphinxPreset: String, Sendable, Hashable, Codable, CaseIterable {
  /// One pass over few hypotheses: half of the processor time of the library's own settings, for 33.7 %
  /// word errors.
  case fast
  /// Two passes over a bounded number of hypotheses: the processor time of the library's own settings,
  /// for 29.2 % word errors.
  case balanced
  /// No bound on hypotheses but the library's own: a little more time than balanced, for those
  /// recordings that have more to choose from. On those that were measured it makes no difference.
  case accurate

  /// How much the language model counts in each of the three passes. A little less than by default:
  /// read speech gets a tenth fewer word errors, and other speech as many as before.
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

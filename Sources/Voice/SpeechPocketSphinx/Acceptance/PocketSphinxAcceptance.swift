/// The confidence from which on a decoder accepts a sentence of its grammar, and does not take it
/// for other speech.
///
/// ```swift
/// configuration.acceptance = .recommended
/// ```
/// A rejected sentence is delivered as a `RejectedUtterance` instead of a result.
public enum PocketSphinxAcceptance: Sendable, Hashable {
  /// All sentences are accepted, with their confidence.
  case off
  /// Sentences with at least that confidence are accepted.
  case atLeast(Float)

  /// The threshold at which errors of both kinds are rare in speech without much noise: one in a
  /// hundred sentences outside the grammar is accepted, and three in a hundred of the grammar's are
  /// rejected. 0.4 rejects two in a hundred and accepts as many; the article on rejection has the
  /// whole curve.
  public static let recommended = PocketSphinxAcceptance.atLeast(0.58)

  func accepts(_ confidence: Float) -> Bool {
    switch self {
    case .off: true
    case .atLeast(let threshold): confidence >= threshold
    }
  }
}

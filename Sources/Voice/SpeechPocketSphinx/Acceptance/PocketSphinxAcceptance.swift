/// How sure a decoder has to be that it heard a sentence of its grammar, and not other speech.
///
/// ```swift
/// configuration.acceptance = .recommended
/// ```
/// What is rejected comes as a `RejectedUtterance` instead of a result.
public enum PocketSphinxAcceptance: Sendable, Hashable {
  /// Nothing is rejected; the confidence tells all.
  case off
  /// Sentences with that confidence at least are believed.
  case atLeast(Float)

  /// Where mistakes of both kinds are rare in speech without much noise: of other people's sentences one
  /// or two in a hundred are accepted, of the grammar's four are rejected. 0.4 rejects half as many and
  /// accepts three times as many; the article on rejection has the whole curve.
  public static let recommended = PocketSphinxAcceptance.atLeast(0.58)

  func accepts(_ confidence: Float) -> Bool {
    switch self {
    case .off: true
    case .atLeast(let threshold): confidence >= threshold
    }
  }
}

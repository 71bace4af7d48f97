/// A logistic regression over features.
///
/// The coefficients come from `Scripts/fit-acceptance`: 3,823 utterances, of which 1,412 belong to
/// the grammar that decoded them. They are a corpus of recordings with grammars, phrases cut out of
/// its read speech, and synthetic speech by Flite and (with little weight) eSpeak: commands, other
/// sentences, commands with a wrong word, and some of all these with noise at 5 to 20 dB. Both
/// kinds have the same total weight.
struct AcceptanceRegression {
  let constant: Double
  let weights: [Double]

  func value(of features: [Double]) -> Double {
    zip(weights, features).reduce(constant) { $0 + $1.0 * $1.1 }
  }

  /// Over `AcceptanceEvidence.features()`.
  static let sentences = AcceptanceRegression(
    constant: -1.897,
    weights: [
      0.466, -0.025, 0.481, 0.19, 1.401, -4.239, -4.201, -0.054, 0.156, 1.74, -16.835,
    ])

  /// The penalty for a sentence that leaves more speech unexplained than noises and breath ever do,
  /// such as another sentence after it. Set by hand: it affects no recording of the corpus, and of
  /// sentences that are followed by others it accepts 13 of 100 instead of 51.
  static func penalty(unexplained: Double) -> Double { 10 * max(min(unexplained, 1) - 0.25, 0) }

  /// Over `AcceptanceEvidence.features(of:)` and the value of the sentence.
  static let words = AcceptanceRegression(
    constant: 0.036, weights: [0.425, 0.404, 0.699, 0.452])
}

/// A logistic regression over features.
///
/// The numbers come from `Scripts/fit-acceptance`: 2,859 utterances of which 1,141 belong to the
/// grammar that heard them — a corpus of recordings with grammars, phrases cut out of its read speech,
/// and what Flite's and (weighing little) eSpeak's voices say: commands, other sentences, commands with
/// a wrong word, and some of all these with noise at 5 to 20 dB. Both kinds weigh the same in all.
struct AcceptanceRegression {
  let constant: Double
  let weights: [Double]

  func value(of features: [Double]) -> Double {
    zip(weights, features).reduce(constant) { $0 + $1.0 * $1.1 }
  }

  /// Over `AcceptanceEvidence.features()`.
  static let sentences = AcceptanceRegression(
    constant: 3.865,
    weights: [-0.339, -0.117, 1.53, -0.02, 1.566, -5.149, -5.064, 0.507])

  /// Over `AcceptanceEvidence.features(of:)` and the value of the sentence.
  static let words = AcceptanceRegression(
    constant: -0.022, weights: [0.111, 0.495, 0.707, 0.462])
}

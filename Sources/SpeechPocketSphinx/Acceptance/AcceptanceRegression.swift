/// A logistic regression over features.
///
/// The numbers come from `Scripts/fit-acceptance`: 2,300 utterances of which a third belong to the
/// grammar that heard them — a corpus of recordings with grammars, phrases cut out of its read speech,
/// and what Flite's and (weighing little) eSpeak's voices say: commands, other sentences, commands with
/// a wrong word, and 500 of all these with noise at 5 to 20 dB. Both kinds weigh the same in all.
struct AcceptanceRegression {
  let constant: Double
  let weights: [Double]

  func value(of features: [Double]) -> Double {
    zip(weights, features).reduce(constant) { $0 + $1.0 * $1.1 }
  }

  /// Over `AcceptanceEvidence.features()`.
  static let sentences = AcceptanceRegression(
    constant: 3.506, weights: [-0.348, -0.1, 1.444, 0.131, 1.13, -2.966, -4.829, 0.476])

  /// Over `AcceptanceEvidence.features(of:)` and the value of the sentence.
  static let words = AcceptanceRegression(
    constant: 0.133, weights: [0.136, 0.501, 0.608, 0.46])
}

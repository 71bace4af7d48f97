import Foundation

/// Calibrated confidences from the library's scores.
///
/// Each is a logistic curve, fitted to recorded speech of many speakers:
/// - Dictation: of the words with confidence 0.9, about nine in ten are right. The library's own
///   posterior is overconfident at both ends.
/// - Grammar: `GrammarConfidence`.
/// - Key phrase: `KeyPhraseCheck`.
enum Confidence {
  static func dictatedWord(posterior: Double) -> Double {
    let bounded = min(max(posterior, 0.001), 0.999)
    return logistic(0.384 * log(bounded / (1 - bounded)) + 0.634)
  }

  static func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
}

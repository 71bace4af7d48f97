import Foundation

/// Turns the library's scores into shares of one that can be taken at their word.
///
/// Fitted on recorded speech of many speakers; in each case a logistic curve:
/// - Dictation: of the words with confidence 0.9, about nine in ten are right. The library's own
///   posterior is far too sure of itself at both ends.
/// - Grammar: `GrammarConfidence`.
/// - Key phrase: `KeyPhraseCheck`.
enum Confidence {
  static func dictatedWord(posterior: Double) -> Double {
    let bounded = min(max(posterior, 0.001), 0.999)
    return logistic(0.384 * log(bounded / (1 - bounded)) + 0.634)
  }

  static func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
}

extension PathSegment {
  /// How badly a frame of the sound fits, on average; 0 is the best fit there could be.
  var acousticCost: Double { -Double(acousticScore) / Double(frameCount) }

  var frameCount: Int { max(lastFrame - firstFrame + 1, 1) }
}

import Foundation

/// Checks the key phrases that the library reports.
///
/// The library compares the likelihood of the phrase with that of any phones, from any frame to the
/// current one. A threshold for that is right for one phrase and wrong for the next, and grows with
/// their length. Here each frame of the finding is scored by itself: the phones of the phrase
/// against a free loop over phones, each phone against the best one in its place, and the lengths
/// of the phones.
struct KeyPhraseCheck {
  /// `nil` if the acoustic model has a form that cannot be read here.
  let scorer: AcceptanceScorer?

  /// The number of frames around a phrase that are examined.
  static let surroundings = 50

  /// Fitted to 102 words and pairs of words in the read speech of a corpus, against 3,213 places
  /// where the library reported them in other speech; both kinds have the same weight.
  private static let regression = AcceptanceRegression(
    constant: -1.976, weights: [0.729, 0.632, 0.441, 1.14, 1.621])
  /// Used if only the library's own number is available.
  private static let likelihoodAlone = AcceptanceRegression(constant: 2.083, weights: [1.669])

  /// The confidence that the phrase was spoken there.
  ///
  /// - Parameter features: of the audio whose frames the segment counts; `nil` if there are none.
  func confidence(
    of segment: PathSegment, phones: String, in features: Features?
  ) -> Double {
    let likelihood = max(segment.keyPhraseLikelihood, -60) / 10
    guard let scorer, let features,
      let word = scorer.evidence(
        [
          PathSegment(
            // As one word, so that its phones are aligned together.
            word: "phrase", firstFrame: segment.firstFrame, lastFrame: segment.lastFrame,
            acousticScore: segment.acousticScore, posterior: segment.posterior)
        ],
        in: features, of: [], spell: { _ in phones })?.words.first
    else {
      return Confidence.logistic(Self.likelihoodAlone.value(of: [likelihood]))
    }
    let count = Double(word.phoneRatios.count)
    return Confidence.logistic(
      Self.regression.value(of: [
        likelihood, word.likelihoodRatio, word.phoneRatios.reduce(0, +) / count, log(count),
        Double(word.frames) / count / 8,
      ]))
  }
}

extension PathSegment {
  /// The likelihood of a key phrase against that of any phones, as a power of ten. The library
  /// stores it with an offset, in thousands of its logarithm.
  var keyPhraseLikelihood: Double {
    let unit = log10(1.0001)
    return (log10(max(posterior, 1e-30)) / unit + 1500) * 1024 * unit
  }
}

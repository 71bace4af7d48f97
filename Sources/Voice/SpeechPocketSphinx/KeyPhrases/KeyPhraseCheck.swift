import Foundation

/// The second look at what the library takes for a key phrase.
///
/// The library has the likelihood of the phrase from anywhere to here against that of any phones; that alone
/// is right for one phrase and wrong for the next, and grows with their length. Here the caught stretch is
/// weighed by itself, each frame of it: the phrase's phones against a free loop over phones, each phone
/// against the best one in its place, and how long they are for what they are.
struct KeyPhraseCheck {
  /// `nil` if the acoustic model is of a form that cannot be read here.
  let scorer: AcceptanceScorer?

  /// How much sound around a phrase is looked at, in frames.
  static let surroundings = 50

  /// The numbers come from 102 words and pairs of words in the read speech of a corpus against 3,213 places
  /// where the library heard them in other speech; both kinds weigh the same.
  private static let regression = AcceptanceRegression(
    constant: -1.976, weights: [0.729, 0.632, 0.441, 1.14, 1.621])
  /// Where nothing but the library's own number is there.
  private static let likelihoodAlone = AcceptanceRegression(constant: 2.083, weights: [1.669])

  /// How sure it is that the phrase was said there.
  ///
  /// - Parameter features: of the sound whose frames the segment counts; `nil` if there are none.
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
  /// The likelihood of a key phrase against that of any phones, as a power of ten. The library keeps it with
  /// an offset, in thousands of its logarithm.
  var keyPhraseLikelihood: Double {
    let unit = log10(1.0001)
    return (log10(max(posterior, 1e-30)) / unit + 1500) * 1024 * unit
  }
}

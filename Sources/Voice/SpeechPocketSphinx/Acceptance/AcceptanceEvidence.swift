import Foundation

/// What speaks for and against a sentence that a grammar found in some sound, in numbers that do not
/// depend on the grammar.
package struct AcceptanceEvidence: Sendable {
  /// The same of a word.
  package struct Word: Sendable {
    /// Where it starts.
    package var firstFrame: Int
    /// How many frames it lasts.
    package var frames: Int
    /// The likelihood of its phones, as they sound between their neighbours, against that of any phones
    /// in a row; per frame, in natural logarithms.
    package var likelihoodRatio: Double
    /// For each phone its likelihood against that of the best phone in its frames, per frame.
    package var phoneRatios: [Double]
    /// How long its phones are, in frames.
    package var phoneLengths: [Int]
    /// What the library charges for a frame, on average.
    package var cost: Double
  }

  /// The words that have as many frames as their phones need.
  package var words: [Word]
  /// Loud frames beside the words in which phones were heard, by the number of frames in words: speech
  /// that the sentence does not explain.
  package var unexplained: Double

  // MARK: - The features of the regression

  /// A short word's numbers vary more, so they are drawn to what is usual.
  private static let usual = (ratio: 1.5, ratioFrames: 15.0, cost: 22.0, costFrames: 10.0)

  package func features() -> [Double] {
    let frames = words.reduce(0.0) { $0 + Double($1.frames) }
    func mean(_ value: (Word) -> Double) -> Double {
      words.reduce(0) { $0 + value($1) * Double($1.frames) } / frames
    }
    let ratios = words.flatMap(\.phoneRatios)
    let lengths = words.flatMap(\.phoneLengths)
    let phones = Double(ratios.count)
    let ratio = mean(\.likelihoodRatio)
    // One wrong word among right ones: how far it stays behind them, in what is usual for its length.
    let behind = words.map { ($0.likelihoodRatio - ratio) * Double($0.frames).squareRoot() }
    return [
      ratio, mean(\.cost), words.map(Self.steadyRatio).min() ?? 0,
      ratios.reduce(0, +) / phones,
      Double(ratios.count { $0 > -0.5 }) / phones, Double(lengths.count { $0 <= 3 }) / phones,
      min(unexplained, 1), words.map(Self.steadyCost).max() ?? 0, behind.min() ?? 0, log(frames),
    ]
  }

  package static let featureNames = [
    "likelihood ratio", "cost", "worst word", "phone ratio", "good phones", "short phones",
    "unexplained speech", "worst cost", "word behind", "log of frames",
  ]

  private static func steadyRatio(_ word: Word) -> Double {
    let frames = Double(word.frames)
    return (word.likelihoodRatio * frames + usual.ratio * usual.ratioFrames)
      / (frames + usual.ratioFrames)
  }

  private static func steadyCost(_ word: Word) -> Double {
    let frames = Double(word.frames)
    return (word.cost * frames + usual.cost * usual.costFrames) / (frames + usual.costFrames)
  }

  /// The features of one of the words.
  package func features(of word: Word) -> [Double] {
    let phones = Double(word.phoneRatios.count)
    return [
      Self.steadyRatio(word), word.phoneRatios.reduce(0, +) / phones, log(phones),
    ]
  }
}

import Foundation

/// The evidence for and against a sentence that a grammar found in some audio, in numbers that do
/// not depend on the grammar.
package struct AcceptanceEvidence: Sendable {
  /// The evidence for and against a word.
  package struct Word: Sendable {
    /// The first frame of the word.
    package var firstFrame: Int
    /// The length of the word in frames.
    package var frames: Int
    /// The likelihood of its phones in their context against that of any sequence of phones; per
    /// frame, in natural logarithms.
    package var likelihoodRatio: Double
    /// The likelihood of each phone against that of the best phone in its frames, per frame.
    package var phoneRatios: [Double]
    /// The lengths of its phones, in frames.
    package var phoneLengths: [Int]
    /// The average cost of a frame in the library.
    package var cost: Double
  }

  /// The words that have as many frames as their phones need.
  package var words: [Word]
  /// Loud frames outside the words in which phones were found, divided by the number of frames in
  /// words: speech that the sentence does not explain.
  package var unexplained: Double
  /// The freedom of the grammar in these words: the sum of the logarithms of the numbers of ways to
  /// continue in each place. Of many words some fit any speech, as in loops and large grammars.
  package var freedom: Double

  // MARK: - The features of the regression

  /// The numbers of a short word vary more, so they are drawn to these typical values.
  private static let typical = (ratio: 1.5, ratioFrames: 15.0, cost: 22.0, costFrames: 10.0)

  /// Two seconds: up to there a longer sentence is surer, but a loop makes a sentence of any
  /// length.
  private static let longestFrames = 200.0

  /// Likelihood ratio, cost, worst word, phone ratio, good phones, short phones, unexplained
  /// speech, worst cost, distance of the worst word from the others, logarithm of the frames, and
  /// freedom per frame.
  package func features() -> [Double] {
    let frames = words.reduce(0.0) { $0 + Double($1.frames) }
    func mean(_ value: (Word) -> Double) -> Double {
      words.reduce(0) { $0 + value($1) * Double($1.frames) } / frames
    }
    let ratios = words.flatMap(\.phoneRatios)
    let lengths = words.flatMap(\.phoneLengths)
    let phones = Double(ratios.count)
    let ratio = mean(\.likelihoodRatio)
    // One wrong word among right ones: its distance from them, normalised by its length.
    let behind = words.map { ($0.likelihoodRatio - ratio) * Double($0.frames).squareRoot() }
    return [
      ratio, mean(\.cost), words.map(Self.steadyRatio).min() ?? 0,
      ratios.reduce(0, +) / phones,
      Double(ratios.count { $0 > -0.5 }) / phones, Double(lengths.count { $0 <= 3 }) / phones,
      min(unexplained, 1), words.map(Self.steadyCost).max() ?? 0, behind.min() ?? 0,
      log(min(frames, Self.longestFrames)), freedom / frames,
    ]
  }

  private static func steadyRatio(_ word: Word) -> Double {
    let frames = Double(word.frames)
    return (word.likelihoodRatio * frames + typical.ratio * typical.ratioFrames)
      / (frames + typical.ratioFrames)
  }

  private static func steadyCost(_ word: Word) -> Double {
    let frames = Double(word.frames)
    return (word.cost * frames + typical.cost * typical.costFrames) / (frames + typical.costFrames)
  }

  /// The features of one of the words.
  package func features(of word: Word) -> [Double] {
    let phones = Double(word.phoneRatios.count)
    return [
      Self.steadyRatio(word), word.phoneRatios.reduce(0, +) / phones, log(phones),
    ]
  }
}

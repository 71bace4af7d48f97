import Foundation

/// How sure it is that a sentence of the grammar was said, and not something else: the library finds a
/// path through the grammar for whatever it hears, and calls it certain.
///
/// 0.5 is where both are as likely, if as much of both is said.
struct GrammarConfidence {
  let sentence: Double
  private let words: [Int: Double]

  /// - Parameter spoken: the segments of the path that are words.
  init(_ spoken: [PathSegment], evidence: AcceptanceEvidence?) {
    guard let evidence else {
      sentence = Self.sentence(costs: spoken)
      words = [:]
      return
    }
    let regression = AcceptanceRegression.sentences.value(of: evidence.features())
    sentence = Confidence.logistic(
      regression - AcceptanceRegression.penalty(unexplained: evidence.unexplained))
    var words: [Int: Double] = [:]
    for word in evidence.words {
      words[word.firstFrame] = Confidence.logistic(
        AcceptanceRegression.words.value(of: evidence.features(of: word) + [regression]))
    }
    self.words = words
  }

  /// A word that is too short to be weighed is as sure as its sentence.
  func word(_ segment: PathSegment) -> Double { words[segment.firstFrame] ?? sentence }

  /// What is left when the acoustic model cannot be read, or the words are shorter than their phones:
  /// how badly the sound fits (0 is the best fit there could be). Sentences of the grammar cost 10 to 30
  /// a frame, other speech 35 to 60.
  private static func sentence(costs spoken: [PathSegment]) -> Double {
    let frames = spoken.reduce(0) { $0 + $1.frameCount }
    let cost = -Double(spoken.reduce(0) { $0 + $1.acousticScore }) / Double(max(frames, 1))
    return Confidence.logistic((31 - cost) / 3.5)
  }
}

import Foundation

/// The confidence that a sentence of the grammar was spoken. The library finds a path through the
/// grammar for any audio, and reports it as certain.
///
/// 0.5 means that both are equally likely, if they are spoken equally often.
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

  /// A word that is too short to be scored has the confidence of its sentence.
  func word(_ segment: PathSegment) -> Double { words[segment.firstFrame] ?? sentence }

  /// The fallback when the acoustic model cannot be read, or the words are shorter than their
  /// phones: the acoustic cost (0 is a perfect fit). Sentences of the grammar cost 10 to 30 per
  /// frame, other speech 35 to 60.
  private static func sentence(costs spoken: [PathSegment]) -> Double {
    let frames = spoken.reduce(0) { $0 + $1.frameCount }
    let cost = -Double(spoken.reduce(0) { $0 + $1.acousticScore }) / Double(max(frames, 1))
    return Confidence.logistic((31 - cost) / 3.5)
  }
}

import Foundation
import SpeechCore

/// The result of one stretch of audio: words whose times count from the start of the utterance.
struct DecodedPiece {
  var words: [RecognizedWord] = []
  var confidence: Double = 0
  var alternatives: [RecognitionAlternative] = []
  /// True if there is speech without words.
  var isUnexplainedSpeech = false

  var text: String { words.map(\.text).joined(separator: " ") }

  /// The words of the path with their confidences.
  static func words(
    _ segments: [PathSegment], offset: Double, confidence: (PathSegment) -> Double
  ) -> [RecognizedWord] {
    segments.compactMap { segment in
      guard let text = segment.plainWord else { return nil }
      return RecognizedWord(
        text: text.trimmingCharacters(in: .whitespaces),
        start: offset + Double(segment.firstFrame) * PathSegment.frameDuration,
        end: offset + Double(segment.lastFrame + 1) * PathSegment.frameDuration,
        confidence: Float(confidence(segment)))
    }
  }

  /// The utterance of these pieces in their order; `nil` if none has words or speech to be
  /// rejected.
  static func joined(
    _ pieces: [DecodedPiece], acceptance: PocketSphinxAcceptance
  ) -> DecodedUtterance? {
    let spoken = pieces.filter { !$0.words.isEmpty }
    guard !spoken.isEmpty else {
      guard pieces.contains(where: \.isUnexplainedSpeech) else { return nil }
      return DecodedUtterance(text: "", confidence: 0, isAccepted: false)
    }
    let words = spoken.flatMap(\.words)
    let weighted = spoken.reduce(0) { $0 + $1.confidence * Double($1.words.count) }
    let confidence = Float(weighted / Double(words.count))
    return DecodedUtterance(
      text: words.map(\.text).joined(separator: " "), confidence: confidence, words: words,
      alternatives: spoken.count == 1 ? spoken[0].alternatives : [],
      isAccepted: acceptance.accepts(confidence))
  }
}

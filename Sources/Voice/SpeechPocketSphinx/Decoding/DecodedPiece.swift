import Foundation
import SpeechCore

/// What came out of one stretch of sound: words whose times count from the start of the utterance.
struct DecodedPiece {
  var words: [RecognizedWord] = []
  var confidence: Double = 0
  var alternatives: [RecognitionAlternative] = []
  /// Whether there are no words although somebody speaks.
  var isUnexplainedSpeech = false

  static let frameDuration = 0.01

  /// The word as people write it; `nil` for silence and noises.
  static func plainWord(_ word: String) -> String? {
    guard let first = word.first, !"<[+(".contains(first) else { return nil }
    guard word.hasSuffix(")"), let open = word.lastIndex(of: "("), open > word.startIndex else {
      return word
    }
    // The number of the pronunciation.
    let number = word[word.index(after: open)...].dropLast()
    return number.allSatisfy(\.isNumber) ? String(word[..<open]) : word
  }

  static func plainText(_ text: String) -> String {
    text.split(separator: " ").compactMap { plainWord(String($0)) }.joined(separator: " ")
  }

  var text: String { words.map(\.text).joined(separator: " ") }

  /// The words of the path, each with the confidence that it is given.
  static func words(
    _ segments: [PathSegment], offset: Double, confidence: (PathSegment) -> Double
  ) -> [RecognizedWord] {
    segments.compactMap { segment in
      guard let text = plainWord(segment.word) else { return nil }
      return RecognizedWord(
        text: text.trimmingCharacters(in: .whitespaces),
        start: offset + Double(segment.firstFrame) * frameDuration,
        end: offset + Double(segment.lastFrame + 1) * frameDuration,
        confidence: Float(confidence(segment)))
    }
  }

  /// Pieces of one utterance, one behind the other; `nil` if none has a word, or speech that is
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

import SpeechCore

/// A key phrase with its position.
struct SpottedPhrase {
  var reading: KeyPhraseList.Reading
  /// The finding of the library.
  var segment: PathSegment
  /// The confidence of the check, from 0 to 1.
  var confidence: Double

  var isBelieved: Bool { confidence >= Double(reading.phrase.leastConfidence) }
  var frames: ClosedRange<Int> { segment.firstFrame...max(segment.firstFrame, segment.lastFrame) }

  /// The phrase as one word.
  func word(offset: Double) -> RecognizedWord {
    RecognizedWord(
      text: reading.text, start: offset + Double(segment.firstFrame) * PathSegment.frameDuration,
      end: offset + Double(segment.lastFrame + 1) * PathSegment.frameDuration,
      confidence: Float(confidence))
  }

  /// The best ones of overlapping phrases, in the order of their positions.
  static func best(of found: [SpottedPhrase]) -> [SpottedPhrase] {
    var kept: [SpottedPhrase] = []
    for phrase in found.sorted(by: { $0.confidence > $1.confidence })
    where !kept.contains(where: { $0.frames.overlaps(phrase.frames) }) {
      kept.append(phrase)
    }
    return kept.sorted { $0.segment.firstFrame < $1.segment.firstFrame }
  }
}

import AIServices
import Foundation
import SpeechCore
import SpeechText

/// Locates the words and sentences of a text by the times of its characters.
struct WordTimeline {
  private let scalars: [Unicode.Scalar]
  private let sentenceStarts: Set<Int>
  /// The index up to which the text has been timed.
  private var index = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var starts: Set<Int> = []
    if let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }) {
      starts.insert(first)
    }
    for index in scalars.indices {
      if let after = SentenceCutter.endOfSentence(scalars, at: index) { starts.insert(after) }
    }
    sentenceStarts = starts
  }

  /// Returns the positions that begin within these characters, with ranges and times relative to
  /// the part.
  mutating func positions(of timings: [CharacterTiming]) -> [SpeechPosition] {
    var positions: [SpeechPosition] = []
    for timing in timings {
      guard let first = timing.character.unicodeScalars.first, let place = find(first) else {
        continue
      }
      if !first.properties.isWhitespace, isWordStart(place) {
        // A service may report any number, but a duration is limited.
        let time = Duration.seconds(timing.start.clamped(to: 0...86_400, orElse: 0))
        if sentenceStarts.contains(place) {
          positions.append(
            SpeechPosition(kind: .sentence, textRange: sentence(at: place), audioOffset: time))
        }
        positions.append(
          SpeechPosition(kind: .word, textRange: word(at: place), audioOffset: time))
      }
      index = place + timing.character.unicodeScalars.count
    }
    return positions
  }

  /// The first sentence of the text, which begins with its audio.
  var opening: SpeechPosition {
    let start = sentenceStarts.min() ?? 0
    return SpeechPosition(kind: .sentence, textRange: sentence(at: start), audioOffset: .zero)
  }

  /// Finds the next occurrence of a scalar. A service may omit characters, but not many in a row.
  private func find(_ scalar: Unicode.Scalar) -> Int? {
    scalars[min(index, scalars.count)...].prefix(40).firstIndex(of: scalar)
  }

  private func isWordStart(_ place: Int) -> Bool {
    place == 0 || scalars[place - 1].properties.isWhitespace
  }

  private func word(at place: Int) -> Range<Int> {
    place..<(scalars[place...].firstIndex { $0.properties.isWhitespace } ?? scalars.count)
  }

  private func sentence(at place: Int) -> Range<Int> {
    place..<(sentenceStarts.filter { $0 > place }.min() ?? scalars.count)
  }
}

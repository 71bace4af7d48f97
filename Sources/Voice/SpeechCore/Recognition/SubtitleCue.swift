import Foundation

/// The subtitle that is shown at one time: at most two lines of a readable length.
struct SubtitleCue: Equatable {
  static let maximumLineLength = 42
  static let maximumLines = 2
  /// The length of a pause between two words that begins a new cue.
  static let longestPause: TimeInterval = 1.5

  var start: Int
  var end: Int
  var lines: [String]

  /// The cues of a transcript, in order and without overlap, in milliseconds.
  static func cues(of transcript: Transcript) -> [SubtitleCue] {
    var cues: [SubtitleCue] = []
    for segment in transcript.segments {
      for words in groups(of: segment.timedWords) {
        guard let first = words.first, let last = words.last else { continue }
        let start = max(milliseconds(first.start), cues.last?.end ?? 0)
        cues.append(
          SubtitleCue(
            start: start, end: max(milliseconds(last.end), start + 1),
            lines: lines(of: words.map(\.text))))
      }
    }
    return cues
  }

  func startStamp(_ separator: String) -> String { Self.stamp(start, separator) }
  func endStamp(_ separator: String) -> String { Self.stamp(end, separator) }

  private static func groups(of words: [RecognizedWord]) -> [[RecognizedWord]] {
    var groups: [[RecognizedWord]] = []
    for word in words {
      if let group = groups.last, let previous = group.last,
        word.start - previous.end < longestPause,
        lines(of: group.map(\.text) + [word.text]).count <= maximumLines
      {
        groups[groups.count - 1].append(word)
      } else {
        groups.append([word])
      }
    }
    return groups
  }

  private static func lines(of words: [String]) -> [String] {
    var lines: [String] = []
    for word in words {
      if let line = lines.last, line.count + 1 + word.count <= maximumLineLength {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  private static func milliseconds(_ seconds: TimeInterval) -> Int {
    // A time that is not a number, or beyond all recordings, must not crash the program.
    Int((min(max(0, seconds), 1e9) * 1_000).rounded())
  }

  private static func stamp(_ milliseconds: Int, _ separator: String) -> String {
    let seconds = milliseconds / 1_000
    return String(
      format: "%02d:%02d:%02d%@%03d", seconds / 3_600, seconds / 60 % 60, seconds % 60, separator,
      milliseconds % 1_000)
  }
}

extension TranscriptSegment {
  /// The words; for a segment without words its text as one, without line breaks.
  fileprivate var timedWords: [RecognizedWord] {
    guard words.isEmpty else { return words }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty
      ? [] : [RecognizedWord(text: line, start: start, end: end, confidence: confidence)]
  }
}

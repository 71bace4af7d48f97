import SpeechCore
import SpeechText

/// A part of a text that is spoken with one request.
struct TextPart: Sendable, Equatable {
  /// The text of the part, including spaces at its end.
  var text: String
  /// The start within the whole text, in Unicode scalars.
  var start: Int

  /// An upper bound for the duration of the speech.
  var slowestDuration: Duration { .seconds(Double(text.count) / 5) }

  /// Divides a text at the ends of sentences, so that no part exceeds the limit; within long
  /// sentences at clauses, else at words.
  static func parts(of text: String, limit: Int) -> [TextPart] {
    let limit = max(1, limit)
    let scalars = Array(text.unicodeScalars)
    var parts: [TextPart] = []
    var start = 0
    while start < scalars.count {
      let rest = scalars.count - start
      let length =
        rest <= limit
        ? rest
        : max(1, SentenceCutter.cut(Array(scalars[start..<start + limit + 1]), limit: limit).index)
      let part = String(String.UnicodeScalarView(scalars[start..<start + length]))
      if part.contains(where: { !$0.isWhitespace }) {
        parts.append(TextPart(text: part, start: start))
      }
      start += length
    }
    return parts
  }
}

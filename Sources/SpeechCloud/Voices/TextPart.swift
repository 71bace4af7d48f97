import SpeechCore

/// A part of a text that is spoken with one request.
struct TextPart: Sendable, Equatable {
  /// The part, blanks at its end included.
  var text: String
  /// Where it begins in the whole, in Unicode scalars.
  var start: Int

  /// Cuts a text at ends of sentences so that no part is longer than the limit; where a sentence is, at
  /// clauses, and where that does not help either, at words.
  ///
  /// - Parameters:
  ///   - limit: the most characters of a part.
  ///   - firstLimit: the most of the first part, which is heard the sooner the shorter it is.
  static func parts(of text: String, limit: Int, firstLimit: Int? = nil) -> [TextPart] {
    let scalars = Array(text.unicodeScalars)
    var parts: [TextPart] = []
    var start = 0
    while start < scalars.count {
      let most = max(1, start == 0 ? min(limit, firstLimit ?? limit) : limit)
      let rest = scalars.count - start
      let length =
        rest <= most
        ? rest
        : max(1, SentenceCutter.cut(Array(scalars[start..<start + most + 1]), limit: most).index)
      let part = String(String.UnicodeScalarView(scalars[start..<start + length]))
      if part.contains(where: { !$0.isWhitespace }) {
        parts.append(TextPart(text: part, start: start))
      }
      start += length
    }
    return parts
  }
}

/// A phoneme in eSpeak NG's notation, and its stress.
struct EspeakPhoneme: Sendable, Equatable {
  enum Stress: UInt8, Sendable {
    case none = 0x2D  // -
    case secondary = 0x2C  // ,
    case primary = 0x27  // '
    /// A position beyond the ends of the word.
    case outside = 0x23  // #
  }

  var symbol: String
  var stress: Stress

  /// Parses the phonemes of a line, which are separated by `_` and have stress marks before the
  /// vowels.
  static func all(in line: String) -> [EspeakPhoneme] {
    line.split { $0 == "_" || $0 == " " || $0 == "\n" }.compactMap { token in
      // Parentheses contain the name of another language that the library switches to.
      guard !token.hasPrefix("(") else { return nil }
      let marks = token.prefix { "',%=".contains($0) }
      let symbol = token.dropFirst(marks.count)
      guard !symbol.isEmpty else { return nil }
      let stress: Stress =
        marks.contains("'") ? .primary : marks.contains(",") ? .secondary : .none
      return EspeakPhoneme(symbol: String(symbol), stress: stress)
    }
  }
}

/// One phoneme as eSpeak NG writes it, and its stress.
struct EspeakPhoneme: Sendable, Equatable {
  enum Stress: UInt8, Sendable {
    case none = 0x2D  // -
    case secondary = 0x2C  // ,
    case primary = 0x27  // '
    /// Beyond the word's ends.
    case outside = 0x23  // #
  }

  var symbol: String
  var stress: Stress

  /// The phonemes of a line, with a `_` between any two and marks of stress before the vowels.
  static func all(in line: String) -> [EspeakPhoneme] {
    line.split { $0 == "_" || $0 == " " || $0 == "\n" }.compactMap { token in
      // In parentheses is the name of another language that it switches to.
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

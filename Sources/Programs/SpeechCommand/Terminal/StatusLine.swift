/// A line of status on a terminal, part of which may be highlighted.
package struct StatusLine: Sendable, Equatable {
  package var text: String
  /// The highlighted part, in characters of the text.
  package var lit: Range<Int>?

  package init(_ text: String, lit: Range<Int>? = nil) {
    self.text = text
    self.lit = lit
  }

  /// The line for a terminal, cut to the width: its end, or the part around the highlight.
  package func drawn(width: Int) -> String {
    let characters = Array(text.harmless)
    guard let lit = lit?.clamped(to: characters.indices), !lit.isEmpty else {
      return String(characters.suffix(width))
    }
    let middle = (lit.lowerBound + lit.upperBound) / 2
    let start = max(0, min(middle - width / 2, characters.count - width))
    let end = min(characters.count, start + width)
    let seen = lit.clamped(to: start..<end)
    return String(characters[start..<seen.lowerBound]) + "\u{1B}[7m"
      + String(characters[seen]) + "\u{1B}[27m" + String(characters[seen.upperBound..<end])
  }
}

extension String {
  /// The text without control characters, which file names and answers of services may contain.
  package var harmless: String { harmless(keeping: []) }

  /// The text without other control characters than these.
  package func harmless(keeping kept: Set<Unicode.Scalar>) -> String {
    let scalars = unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control && !kept.contains(scalar)
        ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

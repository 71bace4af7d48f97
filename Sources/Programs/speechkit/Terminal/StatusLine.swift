/// A line that a person sees while things go on, with a place in it that stands out.
struct StatusLine: Sendable, Equatable {
  var text: String
  /// What stands out, in characters of the text.
  var lit: Range<Int>?

  init(_ text: String, lit: Range<Int>? = nil) {
    self.text = text
    self.lit = lit
  }

  /// What a terminal is sent for it: no more than fits, the end of it or the place around what is lit.
  func drawn(width: Int) -> String {
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
  /// Without what could steer a terminal: names of files and answers of services may hold anything.
  var harmless: String {
    let scalars = unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

import Foundation

/// The spelling of words, and the keys by which they are compared.
enum WrittenWord {
  /// Punctuation to ignore at the end of a word.
  private static let closing: Set<Character> = [
    ",", ".", ";", ":", "?", "!", "…", "”", "“", "\"", ")", "»", "«", "—", "–",
  ]
  private static let opening: Set<Character> = ["¿", "¡", "“", "”", "\"", "(", "»", "«", "—", "–"]

  /// The word without punctuation at its ends. The full stops of an abbreviation (“p.m.”) belong to
  /// it.
  static func plain(_ text: Substring) -> String {
    var rest = text
    while let first = rest.first, opening.contains(first) { rest.removeFirst() }
    while let last = rest.last, closing.contains(last) {
      if last == ".", rest.dropLast().contains(where: { $0 == "." }), rest.dropLast().last != "." {
        break
      }
      rest.removeLast()
    }
    return straightened(rest)
  }

  /// The key that all spellings of a word share.
  static func key(_ word: String) -> String {
    straightened(word[...]).lowercased()
  }

  private static func straightened(_ text: Substring) -> String {
    text.contains { $0 == "’" || $0 == "‘" }
      ? String(text.map { $0 == "’" || $0 == "‘" ? "'" : $0 }) : String(text)
  }

  /// Characters with a meaning in grammars, which no word may hold.
  private static let refused: Set<Character> = [
    "<", ">", "[", "]", "(", ")", "{", "}", "|", ";", "=", "*", "+", "/", "\"", "\\", "\0",
  ]

  /// True if the text can be a word of a grammar.
  static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 256
      && !text.contains { refused.contains($0) || $0.isWhitespace || $0.isNewline }
  }

  /// `living_room`, `livingRoom` and `living-room` as “living room”.
  static func words(ofCode code: String) -> String {
    var words = ""
    for character in code {
      if character == "_" || character == "-" {
        words += " "
      } else if character.isUppercase, let last = words.last, !last.isUppercase, last != " " {
        words += " " + character.lowercased()
      } else {
        words += character.lowercased()
      }
    }
    return words
  }

  /// `living_room` as `livingRoom`.
  static func camelCase(_ code: String) -> String {
    let parts = code.split(whereSeparator: { "_- ".contains($0) })
    guard let first = parts.first else { return code }
    return parts.dropFirst().reduce(String(first)) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmed: String { trimming(\.isWhitespace) }

  /// The text without such characters at its ends.
  func trimming(_ isWaste: (Character) -> Bool) -> String {
    var rest = self[...]
    while let first = rest.first, isWaste(first) { rest.removeFirst() }
    while let last = rest.last, isWaste(last) { rest.removeLast() }
    return String(rest)
  }
}

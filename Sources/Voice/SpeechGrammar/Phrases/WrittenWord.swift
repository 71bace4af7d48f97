import Foundation

/// How words are written and compared.
enum WrittenWord {
  /// Marks that say nothing at the end of a word.
  private static let closing: Set<Character> = [
    ",", ".", ";", ":", "?", "!", "…", "”", "“", "\"", ")", "»", "«", "—", "–",
  ]
  private static let opening: Set<Character> = ["¿", "¡", "“", "”", "\"", "(", "»", "«", "—", "–"]

  /// The word without marks at its ends; the full stops of an abbreviation (“p.m.”) belong to it.
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

  /// What two spellings of a word have in common.
  static func key(_ word: String) -> String {
    straightened(word[...]).lowercased()
  }

  private static func straightened(_ text: Substring) -> String {
    text.contains { $0 == "’" || $0 == "‘" }
      ? String(text.map { $0 == "’" || $0 == "‘" ? "'" : $0 }) : String(text)
  }

  /// Marks that mean something in a grammar, so that no word may hold them.
  private static let refused: Set<Character> = [
    "<", ">", "[", "]", "(", ")", "{", "}", "|", ";", "=", "*", "+", "/", "\"", "\\", "\0",
  ]

  /// Whether it can be a word of a grammar.
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

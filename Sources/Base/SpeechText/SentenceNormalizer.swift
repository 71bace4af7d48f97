import Foundation

/// Splits written sentences into words in the form of dictionaries and language models: lowercase,
/// without punctuation, numbers spelled out.
///
/// ```swift
/// let normalizer = SentenceNormalizer(locale: Locale(identifier: "en_US"))
/// normalizer.words(of: "Call Mr. O’Neill at 9:45!")
/// ["call", "mister", "o'neill", "at", "nine", "forty", "five"]
/// ```
/// Words are separated by blanks, in English also by hyphens and other punctuation between letters.
/// English numbers, signs, abbreviations with a full stop and dotted initials are spelled out. In
/// other languages letters, digits, and the apostrophes and hyphens between them stay as they are.
/// Markers in angle brackets, such as `<s>`, are skipped.
public struct SentenceNormalizer: Sendable, Hashable {
  /// The language of the sentences.
  public let locale: Locale
  private let isEnglish: Bool

  /// Creates a normaliser for a language.
  public init(locale: Locale) {
    self.locale = locale
    isEnglish = locale.identifier.lowercased().prefix { $0.isLetter } == "en"
  }

  /// Returns the words of a sentence in their order; none if nothing in it can be spoken.
  public func words(of sentence: String) -> [String] {
    var sentence = sentence
    return sentence.withUTF8 { words(of: $0) }
  }

  /// Returns the words of a line of a file. Bytes that are not UTF-8 separate words.
  package func words(of line: UnsafeBufferPointer<UInt8>) -> [String] {
    var pieces: [UnsafeBufferPointer<UInt8>] = []
    var start = 0
    var isPlain = true
    func cut(at end: Int) {
      guard end > start else { return }
      let piece = UnsafeBufferPointer(rebasing: line[start..<end])
      let isMark = piece.first == UInt8(ascii: "<") && piece.last == UInt8(ascii: ">")
      if !isMark { pieces.append(piece) }
    }
    for (place, byte) in line.enumerated() {
      if byte >= 0x80 { isPlain = false }
      guard byte <= 0x20 else { continue }
      cut(at: place)
      start = place + 1
    }
    cut(at: line.count)
    var words: [String] = []
    words.reserveCapacity(pieces.count)
    for (index, piece) in pieces.enumerated() {
      if let word = Self.simpleWord(piece) {
        words.append(word)
        continue
      }
      let text = String(decoding: piece, as: UTF8.self)
      // Blanks outside of ASCII.
      let parts = isPlain ? [text[...]] : text.split { $0.isWhitespace || $0 == "\u{FFFD}" }
      for (place, part) in parts.enumerated() {
        let isLast = index == pieces.count - 1 && place == parts.count - 1
        words +=
          isEnglish
          ? EnglishText.words(of: String(part), isLast: isLast) : Self.otherWords(of: part)
      }
    }
    return words.filter { $0.utf8.count <= DictionaryWord.maximumBytes }
  }

  /// The lowercase word, if it consists of ASCII letters only, as most words do.
  private static func simpleWord(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.count <= DictionaryWord.maximumBytes else { return nil }
    for byte in bytes where !(0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 { return nil }
    return String(unsafeUninitializedCapacity: bytes.count) { buffer in
      for (index, byte) in bytes.enumerated() { buffer[index] = byte | 0x20 }
      return bytes.count
    }
  }

  private static func otherWords(of piece: Substring) -> [String] {
    let text = piece.lowercased().precomposedStringWithCanonicalMapping
      .replacingOccurrences(of: "’", with: "'")
    return text.split { character in
      character != "'" && character != "-"
        && !character.unicodeScalars.contains { isPartOfWord($0) }
    }
    .map { part in
      part.trimmingCharacters(in: CharacterSet(charactersIn: "'-"))
        .filter { $0 == "'" || $0 == "-" || $0.unicodeScalars.contains { isPartOfWord($0) } }
    }
    .filter { !$0.isEmpty && DictionaryWord.isValid($0) }
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber:
      true
    default: false
    }
  }
}

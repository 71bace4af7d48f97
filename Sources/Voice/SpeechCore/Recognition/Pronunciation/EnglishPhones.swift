import Foundation

/// English in ARPAbet phones: the names of letters, and the endings of words.
package enum EnglishPhones {
  static let letters: [Character: [String]] = [
    "a": ["EY"], "b": ["B", "IY"], "c": ["S", "IY"], "d": ["D", "IY"], "e": ["IY"],
    "f": ["EH", "F"], "g": ["JH", "IY"], "h": ["EY", "CH"], "i": ["AY"], "j": ["JH", "EY"],
    "k": ["K", "EY"], "l": ["EH", "L"], "m": ["EH", "M"], "n": ["EH", "N"], "o": ["OW"],
    "p": ["P", "IY"], "q": ["K", "Y", "UW"], "r": ["AA", "R"], "s": ["EH", "S"],
    "t": ["T", "IY"], "u": ["Y", "UW"], "v": ["V", "IY"],
    "w": ["D", "AH", "B", "AH", "L", "Y", "UW"], "x": ["EH", "K", "S"], "y": ["W", "AY"],
    "z": ["Z", "IY"],
  ]

  private static let hissing: Set<String> = ["S", "Z", "SH", "ZH", "CH", "JH"]
  private static let voiceless: Set<String> = ["P", "T", "K", "F", "TH"]

  /// The ending of a plural or a possessive after those phones.
  static func ending(behind phones: [String]) -> [String] {
    guard let last = phones.last else { return ["Z"] }
    if hissing.contains(last) { return ["AH", "Z"] }
    return voiceless.contains(last) ? ["S"] : ["Z"]
  }

  /// The words that this one may be a plural or a possessive of.
  static func stems(of word: String) -> [String] {
    guard word.count > 3 else { return [] }
    if word.hasSuffix("'s") { return [String(word.dropLast(2))] }
    if word.hasSuffix("s'") { return [String(word.dropLast()), String(word.dropLast(2))] }
    guard word.hasSuffix("s"), !word.hasSuffix("ss"), !word.hasSuffix("us"), word.count > 4 else {
      return []
    }
    if word.hasSuffix("ies") { return [word.dropLast(3) + "y"] }
    return [String(word.dropLast())]
  }

  /// The English letters of a word in lower case and its inner apostrophes, at most 60: all that
  /// may reach a library that pronounces words.
  package static func spelling(of word: String) -> String {
    let plain = word.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
      .map { $0 == "’" ? "'" : $0 }
      .filter { ("a"..."z").contains($0) || $0 == "'" }
    return String(String.UnicodeScalarView(plain.prefix(60)))
      .trimmingCharacters(in: CharacterSet(charactersIn: "'"))
  }
}

extension Locale {
  package var isEnglish: Bool { identifier.lowercased().prefix(while: \.isLetter) == "en" }
}

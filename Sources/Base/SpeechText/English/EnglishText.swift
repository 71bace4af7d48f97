import Foundation

/// The words that are spoken when English text is read aloud: “call at nine forty five” for “Call
/// at 9:45!”.
package enum EnglishText {
  /// Returns the lowercase words of a piece without blanks.
  ///
  /// - Parameter isLast: true if a full stop after the piece ends the sentence rather than an
  ///   abbreviation.
  package static func words(of piece: String, isLast: Bool) -> [String] {
    let plain = EnglishSpelling.plain(piece)
    let core = plain.drop { !isSpoken($0) && $0 != "." }
    guard core.contains(where: isSpoken) else { return [] }
    let trimmed = core.reversed().drop { !isSpoken($0) }.reversed()
    let word = String(trimmed)
    let key = word.lowercased().filter { $0 != "." }
    let isAbbreviated =
      core.count > trimmed.count
      && core[core.index(core.startIndex, offsetBy: trimmed.count)] == "."
    if isAbbreviated, !isLast || !EnglishSpelling.canBeSaid(key),
      EnglishSpelling.abbreviations[key] != nil
    {
      return words(ofReading: word)
    }
    let initials = word.split(separator: ".", omittingEmptySubsequences: false)
    if initials.count > 1,
      initials.allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isEnglishLetter) })
    {
      return initials.map { $0.lowercased() }
    }
    // A time of day is spoken as two numbers; elsewhere such punctuation separates words.
    return word.split { !isSpoken($0) && $0 != "." && $0 != "," }
      .flatMap { words(ofPart: $0) }
  }

  /// The words of letters, digits and signs, with the points and commas of numbers.
  private static func words(ofPart part: Substring) -> [String] {
    if part.contains(where: { $0.isEnglishDigit || EnglishSpelling.signs[$0] != nil && $0 != "." })
    {
      return part.split(separator: "-").flatMap { words(ofReading: String($0)) }
    }
    return part.split { !$0.isEnglishLetter && $0 != "'" }.map {
      $0.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "'"))
    }.filter { !$0.isEmpty }
  }

  private static func words(ofReading text: String) -> [String] {
    guard let reading = EnglishReading.all(of: text).first else { return [] }
    var words: [String] = []
    for part in reading.parts {
      switch part {
      case .word(let word): words.append(word)
      case .letter(let letter): words.append(String(letter))
      case .ending:
        guard let last = words.popLast() else { continue }
        // Plurals of letters and tens: PCs, the 90s.
        words.append(
          last.count == 1
            ? last + "'s" : last.hasSuffix("ty") ? last.dropLast() + "ies" : last + "s")
      }
    }
    return words
  }

  private static func isSpoken(_ character: Character) -> Bool {
    character.isEnglishLetter || character.isEnglishDigit || character == "'"
      || (character != "." && EnglishSpelling.signs[character] != nil)
  }
}

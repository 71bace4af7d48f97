import Foundation

/// A way to read a written word aloud: “three d” for “3D”, “mister” for “Mr”.
package struct EnglishReading: Sendable, Hashable {
  /// A part that is spoken by itself.
  package enum Part: Sendable, Hashable {
    /// A lowercase word.
    case word(String)
    /// The name of a letter.
    case letter(Character)
    /// The ending of a plural or possessive, after the part before it.
    case ending
  }

  package var parts: [Part]

  /// The spoken words.
  package var text: String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .word(let word): text += (text.isEmpty ? "" : " ") + word
      case .letter(let letter): text += (text.isEmpty ? "" : " ") + String(letter)
      case .ending: text += "'s"
      }
    }
  }

  /// Limits: longer words and words of more parts have no readings, because they are not spoken.
  static let mostCharacters = 80
  static let mostReadings = 4
  private static let mostParts = 24

  /// All readings of a word, the likeliest first; none if nothing in it can be spoken.
  package static func all(of word: String) -> [EnglishReading] {
    guard word.count <= mostCharacters else { return [] }
    var found: [EnglishReading] = []
    func add(_ parts: [Part]) {
      let reading = EnglishReading(parts: parts)
      guard !parts.isEmpty, parts.count <= mostParts, parts != [.ending],
        found.count < mostReadings, !found.contains(reading)
      else { return }
      found.append(reading)
    }
    let plain = EnglishSpelling.plain(word)
    for expansion in EnglishSpelling.abbreviations[abbreviationKey(plain)] ?? [] {
      add(expansion.split(separator: " ").map { .word(String($0)) })
    }
    if !found.isEmpty, plain.contains(where: \.isLowercase) { return found }
    // Dots between single letters: U.S.A., e.g.
    let dotted = plain.split(separator: ".")
    if dotted.count > 1, dotted.allSatisfy({ $0.count == 1 && $0.first?.isEnglishLetter == true }) {
      add(dotted.joined().lowercased().map { .letter($0) })
      return found
    }
    var readings: [[Part]] = [[]]
    let tokens = EnglishTokens.of(plain)
    for (index, token) in tokens.enumerated() {
      let before = index > 0 ? tokens[index - 1] : nil
      let after = index + 1 < tokens.count ? tokens[index + 1] : nil
      let choices = choices(for: token, before: before, after: after)
      guard !choices.isEmpty else { continue }
      // The best choice for all parts first, followed by those that differ in one part.
      readings = Array(
        choices.enumerated().flatMap { rank, choice in
          readings.enumerated().map { (rank + $0, $1 + choice) }
        }.sorted { $0.0 < $1.0 }.map(\.1).prefix(mostReadings))
    }
    for reading in readings { add(reading) }
    // GitHub and wi-fi are single words to some speakers.
    if tokens.count > 1, tokens.allSatisfy(\.isWord) {
      add([.word(plain.lowercased().filter { $0.isEnglishLetter || $0 == "'" })])
    }
    return found
  }

  private static func abbreviationKey(_ word: String) -> String {
    word.lowercased().filter { $0 != "." }
  }

  private static func choices(
    for token: EnglishTokens.Token, before: EnglishTokens.Token?, after: EnglishTokens.Token?
  ) -> [[Part]] {
    switch token {
    case .ending: return [[.ending]]
    case .sign(let sign):
      guard let name = EnglishSpelling.signs[sign] else { return [] }
      // A currency is spoken after its amount, as a part of the amount.
      if EnglishSpelling.currencies.contains(sign), case .number = after { return [] }
      return [name.split(separator: " ").map { .word(String($0)) }]
    case .number(let digits):
      var readings = EnglishNumber.readings(of: digits).map { $0.map { Part.word($0) } }
      if case .sign(".")? = before { readings = [EnglishNumber.digits(digits).map { .word($0) }] }
      if case .sign(let sign)? = before, EnglishSpelling.currencies.contains(sign),
        let name = EnglishSpelling.signs[sign]
      {
        let unit = digits == "1" ? name : EnglishSpelling.plural(ofCurrency: name)
        readings = readings.map { $0 + [.word(unit)] }
      }
      return readings
    case .ordinal(let digits):
      guard let number = Int(digits), digits.count <= 15 else { return [] }
      return [EnglishNumber.ordinal(number).map { .word($0) }]
    case .word(let word):
      let small = word.lowercased()
      if case .number? = before, let unit = EnglishSpelling.units[small] {
        // 3D has no unit, 5km has; 3 m may have one.
        let named = unit.split(separator: " ").map { Part.word(String($0)) }
        return small.count > 1 ? [named] : [letters(small), named]
      }
      let isAlone = before == nil && after == nil
      if small.count == 1, !(isAlone && (small == "a" || small == "i")) {
        var choices = [letters(small)]
        if small == "v", case .number? = after { choices.append([.word("version")]) }
        return choices
      }
      let isInitials = word.count > 1 && word.allSatisfy(\.isUppercase)
      guard isInitials else {
        return EnglishSpelling.canBeSaid(small) ? [[.word(small)]] : [letters(small)]
      }
      let spelled = letters(small)
      if !EnglishSpelling.canBeSaid(small) { return [spelled] }
      guard small.count <= 3 else { return [[.word(small)], spelled] }
      return isAlone ? [spelled, [.word(small)]] : [spelled]
    }
  }

  private static func letters(_ word: String) -> [Part] {
    word.filter(\.isEnglishLetter).map { .letter($0) }
  }
}

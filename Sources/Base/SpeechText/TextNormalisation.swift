import Foundation

/// The differences between spoken and recognised text that do not count as errors.
///
/// Unlike `SentenceNormalizer`, which gives the one form that dictionaries have, it lets the
/// comparison choose: each option removes one kind of difference and leaves the rest of the text as
/// it is.
///
/// ```swift
/// TextNormalisation.spoken.words(of: "It's 20 °C — well, O.K.!")
/// TextNormalisation.none.words(of: "Turn on")   // ["Turn", "on"]
/// ```
public struct TextNormalisation: OptionSet, Sendable, Hashable, Codable {
  /// The options as a bit mask.
  public var rawValue: Int

  /// Creates options from a bit mask.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Ignores letter case.
  public static let letterCase = TextNormalisation(rawValue: 1)
  /// Ignores punctuation, except within a word and except apostrophes.
  public static let marks = TextNormalisation(rawValue: 2)
  /// Treats hyphens as blanks: “twenty-one” is two words.
  public static let hyphens = TextNormalisation(rawValue: 4)
  /// Spells numbers as English words: “21” is “twenty one”, “3rd” is “third”.
  public static let numbers = TextNormalisation(rawValue: 8)
  /// Expands contractions: “it's” is “it is”, “don't” is “do not”.
  public static let shortForms = TextNormalisation(rawValue: 16)
  /// Ignores “uh”, “um”, “hm” and similar hesitations.
  public static let hesitations = TextNormalisation(rawValue: 32)
  /// Ignores accents on letters: “café” is “cafe”.
  public static let accents = TextNormalisation(rawValue: 64)

  /// Ignores nothing. Words are separated by blanks.
  public static let none: TextNormalisation = []
  /// Ignores letter case alone, for recognisers with a grammar.
  public static let caseInsensitive: TextNormalisation = [.letterCase]
  /// Ignores every difference in writing that is not heard, for dictation and services.
  public static let spoken: TextNormalisation = [
    .letterCase, .marks, .hyphens, .numbers, .shortForms, .hesitations, .accents,
  ]

  /// Returns the words of a text in the form in which they are compared.
  public func words(of text: String) -> [String] {
    var text = text
    if contains(.accents) { text = text.folding(options: .diacriticInsensitive, locale: nil) }
    if contains(.letterCase) { text = text.lowercased() }
    text = text.replacing("’", with: "'")
    if contains(.hyphens) {
      text = String(text.map { "-‐‑–—".contains($0) ? " " : $0 })
    }
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    if contains(.marks) { words = words.map(Self.withoutMarks).filter { !$0.isEmpty } }
    if contains(.numbers) { words = words.flatMap(Self.numberInWords) }
    if contains(.shortForms) { words = words.flatMap(Self.inFull) }
    if contains(.hesitations) { words.removeAll { Self.hesitationWords.contains($0.lowercased()) } }
    return words
  }

  /// “o.k.,” becomes “ok”, “3.5” stays.
  private static func withoutMarks(_ word: String) -> String {
    let isNumber = word.contains(where: \.isNumber)
    var kept = word.filter {
      $0.isLetter || $0.isNumber || $0 == "'" || (isNumber && ($0 == "." || $0 == ","))
    }
    while let last = kept.last, ".,'".contains(last) { kept.removeLast() }
    while let first = kept.first, ".,'".contains(first) { kept.removeFirst() }
    return kept
  }

  private static func numberInWords(_ word: String) -> [String] {
    let plain = word.replacing(",", with: "")
    if let number = Int(plain), (0..<1_000_000_000_000).contains(number) {
      return EnglishNumber.cardinal(number)
    }
    if plain.count > 2, ["st", "nd", "rd", "th"].contains(plain.suffix(2).lowercased()),
      let number = Int(plain.dropLast(2)), (0..<1_000_000_000_000).contains(number)
    {
      return EnglishNumber.ordinal(number)
    }
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 2, let whole = Int(parts[0]), (0..<1_000_000_000).contains(whole),
      !parts[1].isEmpty, parts[1].allSatisfy({ ("0"..."9").contains($0) })
    {
      let digits = parts[1].compactMap(\.wholeNumberValue).flatMap(EnglishNumber.cardinal)
      return EnglishNumber.cardinal(whole) + ["point"] + digits
    }
    return [word]
  }

  private static func inFull(_ word: String) -> [String] {
    let lower = word.lowercased()
    if let known = irregular[lower] { return known }
    for (ending, full) in endings where lower.hasSuffix(ending) && lower.count > ending.count {
      return [String(word.dropLast(ending.count)), full]
    }
    if lower.hasSuffix("'s"), hasContractedIs.contains(String(lower.dropLast(2))) {
      return [String(word.dropLast(2)), "is"]
    }
    return [word]
  }

  private static let irregular = [
    "won't": ["will", "not"], "can't": ["can", "not"], "cannot": ["can", "not"],
    "shan't": ["shall", "not"], "let's": ["let", "us"], "gonna": ["going", "to"],
    "wanna": ["want", "to"], "gotta": ["got", "to"], "y'all": ["you", "all"],
    "ok": ["okay"], "o.k": ["okay"],
  ]
  private static let endings = [
    ("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am"), ("'d", "would"),
  ]
  /// The words after which “'s” is “is”; elsewhere it may be a genitive.
  private static let hasContractedIs: Set<String> = [
    "it", "he", "she", "that", "what", "where", "who", "there", "here", "how",
  ]
  private static let hesitationWords: Set<String> = [
    "uh", "um", "uhm", "er", "erm", "hm", "hmm", "mm", "mhm", "ah", "eh",
  ]
}

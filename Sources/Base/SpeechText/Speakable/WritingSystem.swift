/// The characters that are safe for a voice: those of its language's script, digits and common
/// punctuation.
package struct WritingSystem: Sendable, Hashable {
  /// The ISO 15924 code of the script.
  package let script: String
  /// True if only ASCII is allowed.
  package let isASCII: Bool
  /// True if a hyphen may precede a letter. Otherwise it becomes a space: eSpeak NG takes the rest
  /// for a part of the previous word, even if there is none, and in these languages reads before
  /// the beginning of its buffer in search of that word.
  package private(set) var keepsHyphens = true
  /// The longest run of digits: eSpeak NG writes longer numbers past the end of its buffer.
  package private(set) var longestNumber = 16
  private let ranges: [ClosedRange<UInt32>]

  private init(_ script: String, _ ranges: ClosedRange<UInt32>...) {
    self.init(script, isASCII: false, ranges)
  }

  private init(_ script: String, isASCII: Bool, _ ranges: [ClosedRange<UInt32>]) {
    self.script = script
    self.isASCII = isASCII
    self.ranges = ranges
  }

  /// True if text for the voice may contain the scalar.
  package func contains(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x80 {
      return Self.isNeutral(value) || ranges.contains { $0.contains(value) }
    }
    if 0x2010...0x2026 ~= value { return !isASCII }
    return ranges.contains { $0.contains(value) }
  }

  /// The longest run of characters without a blank: eSpeak NG crashes on longer ones, in some
  /// scripts earlier than in others.
  package var longestRun: Int { script == "Latn" ? 60 : 30 }

  /// True if a blank has to separate the two scalars: one is a sign of the script, the other one of
  /// those that all scripts share.
  ///
  /// eSpeak NG passes words without letters to English if one of their signs is known there only.
  /// Where English passes such a sign back to the first language, it uses memory that has been
  /// freed.
  package func mustSeparate(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
    guard Self.scriptsLeftToALanguage.contains(script) else { return false }
    return Self.isShared(one) && Self.isOwnSign(other)
      || Self.isOwnSign(one) && Self.isShared(other)
  }

  private static let scriptsLeftToALanguage: Set<String> = [
    "Grek", "Armn", "Deva", "Beng", "Guru", "Gujr", "Taml", "Knda", "Mlym", "Sinh", "Geor", "Kore",
  ]

  private static func isShared(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isBlank && (scalar.value < 0x370 || 0x2000..<0x3000 ~= scalar.value)
  }

  private static func isOwnSign(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x370, !(0x2000..<0x3000 ~= scalar.value) else { return false }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark:
      return false
    default: return true
    }
  }

  /// True for ASCII characters other than letters.
  private static func isNeutral(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A: true
    case 0x20...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// The letters of western, central and northern Europe, and of all languages that use few others.
  package static let latin = WritingSystem(
    "Latn", 0x41...0x5A, 0x61...0x7A, 0xA0...0x24F, 0x20AC...0x20AC)

  /// ASCII only, for voices without other characters. Curly quotation marks and dashes become
  /// plain.
  package static let ascii = WritingSystem("Latn", isASCII: true, [0x41...0x5A, 0x61...0x7A])

  /// Latin with the tone marks of Vietnamese and the dotted letters of Welsh and Irish.
  private static let extendedLatin = WritingSystem(
    "Latn", 0x41...0x5A, 0x61...0x7A, 0xA0...0x24F, 0x1E00...0x1EFF, 0x20AC...0x20AC)

  private static let scripts: [String: WritingSystem] = [
    "Latn": latin,
    "Latx": extendedLatin,
    "Cyrl": WritingSystem("Cyrl", 0x400...0x52F, 0xAB...0xAB, 0xBB...0xBB, 0x2116...0x2116),
    // Serbian is written in both scripts.
    "Serb": WritingSystem("Cyrl", 0x41...0x5A, 0x61...0x7A, 0xA0...0x24F, 0x400...0x45F),
    "Grek": WritingSystem("Grek", 0x370...0x3FF, 0x1F00...0x1FFF, 0xAB...0xAB, 0xBB...0xBB),
    "Armn": WritingSystem("Armn", 0x531...0x58A),
    "Hebr": WritingSystem("Hebr", 0x591...0x5F4),
    "Arab": WritingSystem(
      "Arab", 0x60C...0x60C, 0x61B...0x61B, 0x61F...0x669, 0x66E...0x6D5, 0x6F0...0x6FC,
      0x200C...0x200C),
    "Ethi": WritingSystem("Ethi", 0x1200...0x137F),
    "Deva": WritingSystem("Deva", 0x901...0x97F, 0x200C...0x200D),
    "Beng": WritingSystem("Beng", 0x981...0x9FD, 0x200C...0x200D),
    "Guru": WritingSystem("Guru", 0xA01...0xA76, 0x200C...0x200D),
    // Without the dot below, with which eSpeak NG takes letters for Hindi ones.
    "Gujr": WritingSystem("Gujr", 0xA81...0xABB, 0xABD...0xAFC, 0x200C...0x200D),
    "Orya": WritingSystem("Orya", 0xB01...0xB77, 0x200C...0x200D),
    "Taml": WritingSystem("Taml", 0xB82...0xBFA, 0x200C...0x200D),
    "Telu": WritingSystem("Telu", 0xC00...0xC7F, 0x200C...0x200D),
    "Knda": WritingSystem("Knda", 0xC80...0xCF3, 0x200C...0x200D),
    "Mlym": WritingSystem("Mlym", 0xD00...0xD7F, 0x200C...0x200D),
    "Sinh": WritingSystem("Sinh", 0xD81...0xDF4, 0x200C...0x200D),
    "Thai": WritingSystem("Thai", 0xE01...0xE5B),
    "Mymr": WritingSystem("Mymr", 0x1000...0x109F),
    "Geor": WritingSystem("Geor", 0x10A0...0x10FF, 0x1C90...0x1CBF),
    "Cher": WritingSystem("Cher", 0x13A0...0x13FD),
    "Jpan": WritingSystem(
      "Jpan", 0x3001...0x3003, 0x3005...0x3011, 0x3041...0x30FF, 0x4E00...0x9FFF, 0xFF01...0xFF01,
      0xFF0C...0xFF0C, 0xFF1A...0xFF1B, 0xFF1F...0xFF1F),
    "Hani": WritingSystem(
      "Hani", 0x3001...0x3003, 0x3005...0x3011, 0x3105...0x312F, 0x4E00...0x9FFF, 0xFF01...0xFF01,
      0xFF0C...0xFF0C, 0xFF1A...0xFF1B, 0xFF1F...0xFF1F),
    "Kore": WritingSystem(
      "Kore", 0x1100...0x11FF, 0x3001...0x3002, 0x3131...0x318E, 0xAC00...0xD7A3),
  ]

  private static let languages: [String: String] = [
    "be": "Cyrl", "bg": "Cyrl", "mk": "Cyrl", "ru": "Cyrl", "uk": "Cyrl", "ba": "Cyrl",
    "cv": "Cyrl", "kk": "Cyrl", "ky": "Cyrl", "nog": "Cyrl", "tt": "Cyrl", "sr": "Serb",
    "el": "Grek", "grc": "Grek", "hy": "Armn", "hyw": "Armn", "he": "Hebr", "ar": "Arab",
    "fa": "Arab", "ur": "Arab", "sd": "Arab", "ug": "Arab", "am": "Ethi", "ti": "Ethi",
    "hi": "Deva", "mr": "Deva", "ne": "Deva", "kok": "Deva", "as": "Beng", "bn": "Beng",
    "bpy": "Beng", "pa": "Guru", "gu": "Gujr", "or": "Orya", "ta": "Taml", "te": "Telu",
    "kn": "Knda", "ml": "Mlym", "si": "Sinh", "th": "Thai", "my": "Mymr", "shn": "Mymr",
    "ka": "Geor", "chr": "Cher", "ja": "Jpan", "zh": "Hani", "cmn": "Hani", "yue": "Hani",
    "hak": "Latx", "nan": "Latx", "ko": "Kore", "vi": "Latx", "cy": "Latx", "ga": "Latx",
    "gd": "Latx",
  ]

  /// Languages for which eSpeak NG counts the vowels since the beginning of the word.
  private static let countVowels: Set<String> = [
    "am", "as", "ba", "bn", "bpy", "da", "gu", "hi", "kn", "kok", "ml", "mr", "ne", "om", "or",
    "pa",
    "sd", "si", "ta", "te", "tt", "ur", "vi",
  ]

  /// Languages with a lower limit for runs of digits.
  private static let longestNumbers = ["shn": 10, "yue": 10]

  /// The writing system of a voice's language (a BCP 47 tag or the file name of a voice).
  package static func of(language: String) -> WritingSystem {
    let parts = language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).map(
      String.init)
    guard let primary = parts.first else { return latin }
    var writing = languages[primary].flatMap { scripts[$0] } ?? latin
    if parts.dropFirst().contains("latn") || parts.dropFirst().contains("latin") {
      writing = extendedLatin
    }
    if countVowels.contains(primary) { writing.keepsHyphens = false }
    if let longest = longestNumbers[primary] { writing.longestNumber = longest }
    return writing
  }
}

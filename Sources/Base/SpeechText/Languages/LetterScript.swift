/// The script of letters.
enum LetterScript: String, CaseIterable {
  case latin, cyrillic, arabic, devanagari, bengali
  case greek, armenian, hebrew, ethiopic, gurmukhi, gujarati, odia, tamil, telugu, kannada
  case malayalam, sinhala, thai, burmese, georgian, hangul, kana, han

  /// The language that alone uses it among those that are detected; `nil` if several do.
  var language: String? {
    switch self {
    case .latin, .cyrillic, .arabic, .devanagari, .bengali: nil
    case .greek: "el"
    case .armenian: "hy"
    case .hebrew: "he"
    case .ethiopic: "am"
    case .gurmukhi: "pa"
    case .gujarati: "gu"
    case .odia: "or"
    case .tamil: "ta"
    case .telugu: "te"
    case .kannada: "kn"
    case .malayalam: "ml"
    case .sinhala: "si"
    case .thai: "th"
    case .burmese: "my"
    case .georgian: "ka"
    case .hangul: "ko"
    case .kana: "ja"
    case .han: "zh"
    }
  }

  static var languages: [String] { allCases.compactMap(\.language) }

  /// The script of most letters of a text. Japanese is recognised by its kana, of which there are
  /// often fewer than Chinese characters.
  static func main(of text: Substring) -> LetterScript? {
    var counts: [LetterScript: Int] = [:]
    for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
      if let script = LetterScript(of: scalar) { counts[script, default: 0] += 1 }
    }
    if let kana = counts[.kana], let han = counts[.han], kana * 10 >= han {
      counts[.kana] = kana + han
      counts[.han] = nil
    }
    // The order of the cases decides between equal counts.
    return allCases.filter { counts[$0] != nil }.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
  }

  /// The script of a letter; `nil` for scripts whose languages are not detected.
  init?(of scalar: Unicode.Scalar) {
    let value = scalar.value
    guard let found = Self.ranges.first(where: { $0.range.contains(value) }) else { return nil }
    self = found.script
  }

  private static let ranges: [(range: ClosedRange<UInt32>, script: LetterScript)] = [
    (0x41...0x24F, .latin), (0x1E00...0x1EFF, .latin), (0x2B0...0x2FF, .latin),
    (0x370...0x3FF, .greek), (0x1F00...0x1FFF, .greek), (0x400...0x52F, .cyrillic),
    (0x530...0x58F, .armenian), (0x590...0x5FF, .hebrew), (0x600...0x77F, .arabic),
    (0xFB50...0xFDFF, .arabic), (0xFE70...0xFEFF, .arabic), (0x900...0x97F, .devanagari),
    (0x980...0x9FF, .bengali), (0xA00...0xA7F, .gurmukhi), (0xA80...0xAFF, .gujarati),
    (0xB00...0xB7F, .odia), (0xB80...0xBFF, .tamil), (0xC00...0xC7F, .telugu),
    (0xC80...0xCFF, .kannada), (0xD00...0xD7F, .malayalam), (0xD80...0xDFF, .sinhala),
    (0xE00...0xE7F, .thai), (0x1000...0x109F, .burmese), (0x10A0...0x10FF, .georgian),
    (0x1C90...0x1CBF, .georgian), (0x1200...0x137F, .ethiopic), (0x1100...0x11FF, .hangul),
    (0x3130...0x318F, .hangul), (0xAC00...0xD7A3, .hangul), (0x3041...0x30FF, .kana),
    (0x3400...0x4DBF, .han), (0x4E00...0x9FFF, .han), (0x20000...0x2FA1F, .han),
  ]
}

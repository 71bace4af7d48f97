/// Mends a compiled dictionary of eSpeak NG where release 1.51 would come to harm with it.
///
/// - Where no group of rules is for “all other letters”, the library reads a record that it never wrote,
///   and writes through a pointer in it. An empty group for them makes it write the record.
/// - Where a word is left to another language than English, and one of its letters is strange there too,
///   the library frees that language while it is speaking in it. Such words are left to the voice's own
///   rules, and what rules leave to another language, to English, in which it frees nothing.
/// - Where a word is to be replaced by a text, and there is none, the library copies all that follows the
///   word in its clause, however long, to where a word has room. Such words are left to the rules too.
/// - Where the thousands of a number have a form of their own that is longer than 19 sounds, the library
///   writes on behind the memory that it has for them. Such numbers are put together as others are.
struct EspeakDictionary {
  private var bytes: [UInt8]
  /// Where the rules begin.
  private let rules: Int

  /// The dictionary as it should be, which may be as it is; `nil` where this is none.
  static func mended(_ bytes: [UInt8]) -> [UInt8]? {
    guard var dictionary = EspeakDictionary(bytes), dictionary.mendWords(), dictionary.mendRules()
    else { return nil }
    return dictionary.bytes
  }

  private init?(_ bytes: [UInt8]) {
    guard bytes.count > 8, Self.number(bytes, at: 0) == Self.chains else { return nil }
    rules = Self.number(bytes, at: 4)
    guard rules > 8, rules < bytes.count else { return nil }
    self.bytes = bytes
  }

  /// How many chains of words there are.
  private static let chains = 1024
  private static let english = Array("en".utf8)

  // What the bytes of rules mean.
  private static let behind: UInt8 = 2
  private static let phonemes: UInt8 = 3
  private static let groupStart: UInt8 = 6
  private static let groupEnd: UInt8 = 7
  private static let letterGroup: UInt8 = 18
  private static let replacements: UInt8 = 20
  /// The length of a word, or rather of none.
  private static let noLength: UInt8 = 0x7F
  // What the flags behind a word mean: behind others than these comes text.
  private static let isText: UInt8 = 29
  private static let lastFlag: UInt8 = 80
  private static let firstCondition: UInt8 = 100

  private static let longestThousands = 19
  /// Says that the letters of a word are packed.
  private static let isPacked: UInt8 = 0x40

  /// Whether the entry is “so many thousands”, which is `_4M1` for instance.
  private func isThousands(_ entry: Int) -> Bool {
    let kind = bytes[entry + 1]
    guard kind & Self.isPacked == 0 else { return false }
    let word = bytes[entry + 2..<entry + 2 + Int(kind & 0x3F)]
    guard word.first == UInt8(ascii: "_") else { return false }
    let digits = word.dropFirst().prefix { 0x30...0x39 ~= $0 }
    return !digits.isEmpty && word[digits.endIndex...].starts(with: Array("M1".utf8))
  }

  /// The phoneme that is followed by the name of a language, or by nothing for English.
  private static let languageSwitch: UInt8 = 21

  /// An entry is its length, the length of the word with flags, the word, unless one of those flags
  /// says that there are none phonemes or a text, and flags. A length that no word has takes it out.
  private mutating func mendWords() -> Bool {
    var entry = 8
    for _ in 0..<Self.chains {
      while entry < rules, bytes[entry] != 0 {
        let length = Int(bytes[entry])
        guard entry + length <= rules, length > 1 else { return false }
        let end = entry + length
        defer { entry = end }
        let kind = bytes[entry + 1]
        if kind & Self.noLength == Self.noLength { continue }
        var place = entry + 2 + Int(kind & 0x3F)
        guard place <= end else { return false }
        var text = place..<place
        if kind & 0x80 == 0 {
          guard let zero = zero(from: place), zero < end else { return false }
          text = place..<zero
          place = zero + 1
        }
        let flags = bytes[place..<end].prefix { $0 <= Self.lastFlag || $0 >= Self.firstCondition }
        let isForeign = bytes[text].first == Self.languageSwitch && isForeign(text.dropFirst())
        if isForeign || text.isEmpty && flags.contains(Self.isText)
          || text.count > Self.longestThousands && isThousands(entry)
        {
          bytes[entry + 1] |= Self.noLength
        }
      }
      entry += 1
    }
    return entry <= rules
  }

  private mutating func mendRules() -> Bool {
    var hasDefault = false
    var place = rules
    if bytes[place] == Self.groupEnd {
      bytes.replaceSubrange(place..., with: [0])
    }
    while place < bytes.count, bytes[place] != 0 {
      guard bytes[place] == Self.groupStart, place + 2 < bytes.count else { return false }
      place += 1
      switch bytes[place] {
      case Self.replacements:
        guard let end = endOfReplacements(from: place) else { return false }
        place = end
        continue
      case Self.letterGroup: place += 2
      default:
        guard let end = zero(from: place) else { return false }
        if end == place { hasDefault = true }
        place = end + 1
      }
      while place < bytes.count, bytes[place] != Self.groupEnd {
        guard let end = zero(from: place) else { return false }
        mendRule(place..<end)
        place = end + 1
      }
      place += 1
    }
    guard place < bytes.count else { return false }
    if !hasDefault {
      bytes.insert(contentsOf: [Self.groupStart, 0, Self.groupEnd], at: place)
    }
    return true
  }

  /// Pairs of texts, on a boundary of four bytes, with four zeros behind the last.
  private func endOfReplacements(from start: Int) -> Int? {
    var place = (start + 4) & ~3
    while place + 4 <= bytes.count, bytes[place..<place + 4].contains(where: { $0 != 0 }) {
      place += 1
    }
    while place < bytes.count, bytes[place] != Self.groupEnd { place += 1 }
    return place < bytes.count ? place + 1 : nil
  }

  /// What is left over of a longer name than that of English is filled up in front, with marks that
  /// what follows them stands behind the letters: nothing does.
  private mutating func mendRule(_ rule: Range<Int>) {
    for place in rule.dropFirst() {
      guard bytes[place - 1] == Self.phonemes, bytes[place] == Self.languageSwitch else { continue }
      let name = place + 1..<rule.upperBound
      guard isForeign(name) else { return }
      let padding = [UInt8](repeating: Self.behind, count: name.count - Self.english.count)
      bytes.replaceSubrange(
        place - 1..<rule.upperBound,
        with: padding + [Self.phonemes, Self.languageSwitch] + Self.english)
      return
    }
  }

  private func isForeign(_ name: Range<Int>) -> Bool {
    name.count >= Self.english.count && !bytes[name].elementsEqual(Self.english)
  }

  private func zero(from start: Int) -> Int? {
    bytes[start...].firstIndex(of: 0)
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) }
  }
}

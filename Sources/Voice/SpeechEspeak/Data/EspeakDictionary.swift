/// Repairs a compiled dictionary of eSpeak NG, whose release 1.51 corrupts memory in these cases:
///
/// - If no rule group covers “all other letters”, the library reads an uninitialised record and
///   writes through a pointer in it. An empty group makes it initialise the record.
/// - If a word is assigned to a language other than English, and one of its letters is foreign to
///   that language too, the library frees the language while speaking it. Such words are assigned
///   to the voice's own rules. Rules that assign to another language assign to English instead,
///   which is never freed.
/// - If a word is to be replaced by a text and the text is empty, the library copies the rest of
///   the clause into a buffer for one word. Such words are assigned to the rules too.
/// - If the thousands of a number have a form of their own that is longer than 19 phonemes, the
///   library writes beyond its buffer. Such numbers are composed like others.
struct EspeakDictionary {
  private var bytes: [UInt8]
  /// The offset of the rules.
  private let rules: Int

  /// Returns the repaired dictionary, which may be unchanged; `nil` if the bytes are not a
  /// dictionary.
  static func repaired(_ bytes: [UInt8]) -> [UInt8]? {
    guard var dictionary = EspeakDictionary(bytes), dictionary.repairWords(),
      dictionary.repairRules()
    else { return nil }
    return dictionary.bytes
  }

  private init?(_ bytes: [UInt8]) {
    guard bytes.count > 8, Self.number(bytes, at: 0) == Self.chains else { return nil }
    rules = Self.number(bytes, at: 4)
    guard rules > 8, rules < bytes.count else { return nil }
    self.bytes = bytes
  }

  /// The number of hash chains of words.
  private static let chains = 1024
  private static let english = Array("en".utf8)

  // Byte values within rules.
  private static let rightContext: UInt8 = 2
  private static let phonemes: UInt8 = 3
  private static let groupStart: UInt8 = 6
  private static let groupEnd: UInt8 = 7
  private static let letterGroup: UInt8 = 18
  private static let replacements: UInt8 = 20
  /// A word length that no word has.
  private static let noLength: UInt8 = 0x7F
  // Flags of a word: any other flag than these is followed by text.
  private static let isText: UInt8 = 29
  private static let lastFlag: UInt8 = 80
  private static let firstCondition: UInt8 = 100

  private static let longestThousands = 19
  /// The flag for packed letters.
  private static let isPacked: UInt8 = 0x40

  /// True for an entry of thousands, for example `_4M1`.
  private func isThousands(_ entry: Int) -> Bool {
    let kind = bytes[entry + 1]
    guard kind & Self.isPacked == 0 else { return false }
    let word = bytes[entry + 2..<entry + 2 + Int(kind & 0x3F)]
    guard word.first == UInt8(ascii: "_") else { return false }
    let digits = word.dropFirst().prefix { 0x30...0x39 ~= $0 }
    return !digits.isEmpty && word[digits.endIndex...].starts(with: Array("M1".utf8))
  }

  /// The phoneme that precedes the name of a language, or nothing for English.
  private static let languageSwitch: UInt8 = 21

  /// Repairs the word entries. An entry consists of its length, the length of the word with flags,
  /// the word, the phonemes or text unless a flag says that there are none, and further flags. An
  /// entry is disabled by a length that no word has.
  private mutating func repairWords() -> Bool {
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

  private mutating func repairRules() -> Bool {
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
        repairRule(place..<end)
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

  /// The end of a replacement group: pairs of texts, aligned to four bytes, with four zeros after
  /// the last.
  private func endOfReplacements(from start: Int) -> Int? {
    var place = (start + 4) & ~3
    while place + 4 <= bytes.count, bytes[place..<place + 4].contains(where: { $0 != 0 }) {
      place += 1
    }
    while place < bytes.count, bytes[place] != Self.groupEnd { place += 1 }
    return place < bytes.count ? place + 1 : nil
  }

  /// Replaces another language by English. If its name is longer, the surplus bytes in front are
  /// filled with empty right contexts, which match anything.
  private mutating func repairRule(_ rule: Range<Int>) {
    for place in rule.dropFirst() {
      guard bytes[place - 1] == Self.phonemes, bytes[place] == Self.languageSwitch else { continue }
      let name = place + 1..<rule.upperBound
      guard isForeign(name) else { return }
      let padding = [UInt8](repeating: Self.rightContext, count: name.count - Self.english.count)
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

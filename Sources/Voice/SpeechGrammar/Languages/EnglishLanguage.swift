import SpeechText

/// English: its built-in slots, and the readings of its digits and abbreviations.
struct EnglishLanguage: SpokenLanguage {
  let identifier = "en"

  func phrase(for type: SlotType) -> Phrase {
    switch type {
    case .values: .never
    case .number(let range): EnglishNumberPhrases.cardinal(range)
    case .ordinal(let range): EnglishNumberPhrases.ordinal(range)
    case .time: EnglishTimes.timeOfDay
    case .date: EnglishDates.date
    case .duration: EnglishTimes.duration
    }
  }

  func readings(of written: ArraySlice<String>) -> [WrittenReading] {
    guard let first = written.first else { return [] }
    let second = written.dropFirst().first
    switch (first, second) {
    case ("p", "m"), ("a", "m"): return [WrittenReading(count: 2, words: ["\(first).m."])]
    case ("o", "clock"): return [WrittenReading(count: 2, words: ["o'clock"])]
    case ("pm", _), ("p.m", _): return [WrittenReading(words: ["p.m."])]
    case ("am", _), ("a.m", _): return [WrittenReading(words: ["a.m."])]
    case ("ok", _): return [WrittenReading(words: ["okay"])]
    case ("&", _): return [WrittenReading(words: ["and"])]
    default: return figures(first).map { WrittenReading(words: $0) }
    }
  }

  // MARK: - Figures

  private func figures(_ text: String) -> [[String]] {
    guard text.utf8.count <= 16, let first = text.first, first.isASCII, first.isNumber else {
      return []
    }
    for (ending, words) in Self.endings where text.hasSuffix(ending) {
      return figures(String(text.dropLast(ending.count))).map { $0 + words }
    }
    for ending in ["st", "nd", "rd", "th"] where text.hasSuffix(ending) {
      guard let value = number(text.dropLast(2)), (1...999).contains(value) else { return [] }
      return [EnglishNumber.ordinal(value)]
    }
    if let colon = text.firstIndex(of: ":") {
      return clock(hour: text[..<colon], minute: text[text.index(after: colon)...])
    }
    guard let value = number(text[...]), value <= 999_999 else { return spelled(text) }
    var ways = [EnglishNumber.cardinal(value)]
    if let pair = EnglishNumber.pairs(value) { ways.append(pair) }
    if text.count > 1 { ways += spelled(text) }
    if (1...999).contains(value) { ways.append(EnglishNumber.ordinal(value)) }
    return ways
  }

  private static let endings: [(String, [String])] = [
    ("%", ["percent"]), ("pm", ["p.m."]), ("p.m", ["p.m."]), ("am", ["a.m."]), ("a.m", ["a.m."]),
    ("°", ["degrees"]),
  ]

  /// The value of digits, with optional commas between thousands.
  private func number(_ text: Substring) -> Int? {
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      groups.count == 1 || groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return nil }
    return Int(groups.joined())
  }

  /// Digit by digit.
  private func spelled(_ text: String) -> [[String]] {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return [] }
    let words = EnglishNumber.digits(text)
    return text.contains("0") ? [words, EnglishNumber.digits(text, zero: "oh")] : [words]
  }

  private func clock(hour: Substring, minute: Substring) -> [[String]] {
    guard let hours = number(hour), let minutes = number(minute), minute.count == 2, hours < 24,
      minutes < 60
    else { return [] }
    let head = EnglishNumber.cardinal(hours)
    if minutes == 0 {
      let full = hours > 0 ? [head + ["o'clock"], head] : [["midnight"]]
      return full + [(hours < 10 && hours > 0 ? ["oh"] : []) + head + ["hundred"]]
    }
    let tail = (minutes < 10 ? ["oh"] : []) + EnglishNumber.cardinal(minutes)
    return [head + tail] + (hours < 10 && hours > 0 ? [["oh"] + head + tail] : [])
  }
}

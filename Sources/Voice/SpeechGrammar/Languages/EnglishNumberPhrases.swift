import SpeechText

/// The phrases for ranges of English numbers and ordinals.
enum EnglishNumberPhrases {
  /// The phrase of the numbers in a range within 0 and 999,999.
  static func cardinal(_ range: ClosedRange<Int>) -> Phrase {
    .either(
      [
        belowHundred(range.clamped(to: 0, 99)), hundreds(range.clamped(to: 100, 999)),
        thousands(range.clamped(to: 1000, 999_999)), manyHundreds(range.clamped(to: 1100, 9999)),
      ].compactMap(\.self))
  }

  /// “seven”, “twenty one”, “oh”.
  private static func belowHundred(_ range: ClosedRange<Int>?) -> Phrase? {
    guard let range else { return nil }
    var ways: [Phrase] = []
    for value in range where value < 20 {
      ways.append(word(value).tag("\(value)"))
      if value == 0 { ways.append(Phrase.word("oh").tag("0")) }
    }
    for ten in 2...9 {
      let ten = (word: word(ten * 10), value: ten * 10)
      if range.contains(ten.value) { ways.append(ten.word.tag("\(ten.value)")) }
      guard let units = range.clamped(to: ten.value + 1, ten.value + 9) else { continue }
      ways.append(
        .joined([
          ten.word.tag("\(ten.value)"),
          .tagged(
            .either(units.map { word($0 - ten.value).tag("\($0 - ten.value)") }), ["+"]
          ),
        ]))
    }
    return .either(ways)
  }

  /// “three hundred and five”, “a hundred”, “one fifty”, “one oh five”.
  private static func hundreds(_ range: ClosedRange<Int>?) -> Phrase? {
    guard let range else { return nil }
    var ways: [Phrase] = []
    for group in groups(range, by: 100) {
      let digits = Phrase.either(group.heads.map { word($0).tag("\($0)") })
      let withArticle =
        group.heads.contains(1) ? Phrase.either([digits, Phrase.word("a").tag("1")]) : digits
      ways.append(
        .joined([withArticle, .tagged(.word("hundred"), ["100", "*"])] + rest(group.rest)))
      let head = Phrase.tagged(digits, ["100", "*"])
      if let pair = belowHundred(group.rest.clamped(to: 10, 99)) {
        ways.append(.joined([head, pair.tag("+")]))
      }
      if let single = belowHundred(group.rest.clamped(to: 1, 9)) {
        ways.append(.joined([head, .word("oh"), single.tag("+")]))
      }
    }
    return .either(ways)
  }

  /// “two thousand”, “a hundred thousand and one”.
  private static func thousands(_ range: ClosedRange<Int>?) -> Phrase? {
    guard let range else { return nil }
    return .either(
      groups(range, by: 1000).map { group in
        var head = cardinal(group.heads)
        if group.heads.contains(1) { head = .either([head, Phrase.word("a").tag("1")]) }
        return .joined([head, .tagged(.word("thousand"), ["1000", "*"])] + rest(group.rest))
      })
  }

  /// “twelve hundred”, “twenty five hundred and ten”.
  private static func manyHundreds(_ range: ClosedRange<Int>?) -> Phrase? {
    guard let range else { return nil }
    let heads = ((range.lowerBound + 99) / 100...(range.upperBound + 1) / 100)
      .filter { $0 > 10 && $0 % 10 != 0 && $0 * 100 + 99 <= range.upperBound }
      .compactMap { belowHundred($0...$0) }
    guard !heads.isEmpty else { return nil }
    return .joined([.either(heads), .tagged(.word("hundred"), ["100", "*"])] + rest(0...99))
  }

  /// The phrase after “hundred” and “thousand”.
  private static func rest(_ range: ClosedRange<Int>) -> [Phrase] {
    guard range.upperBound > 0 else { return [] }
    let rest = Phrase.joined([
      .optional(.word("and")), cardinal(max(range.lowerBound, 1)...range.upperBound).tag("+"),
    ])
    return [range.lowerBound == 0 ? .optional(rest) : rest]
  }

  /// The phrase of the ordinals in a range within 1 and 999.
  static func ordinal(_ range: ClosedRange<Int>) -> Phrase {
    var ways = [ordinalBelowHundred(range.clamped(to: 1, 99))].compactMap(\.self)
    for group in range.clamped(to: 100, 999).map({ groups($0, by: 100) }) ?? [] {
      var heads = group.heads.map { word($0).tag("\($0)") }
      if group.heads.contains(1) { heads.append(Phrase.word("a").tag("1")) }
      let head = Phrase.either(heads)
      if group.rest.contains(0) {
        ways.append(.joined([head, .tagged(.word("hundredth"), ["100", "*"])]))
        if group.heads.contains(1) { ways.append(Phrase.word("hundredth").tag("100")) }
      }
      if let place = ordinalBelowHundred(group.rest.clamped(to: 1, 99)) {
        ways.append(
          .joined([
            head, .tagged(.word("hundred"), ["100", "*"]), .optional(.word("and")), place.tag("+"),
          ]))
      }
    }
    return .either(ways)
  }

  private static func ordinalBelowHundred(_ range: ClosedRange<Int>?) -> Phrase? {
    guard let range else { return nil }
    return .either(
      range.map { value in
        let words = EnglishNumber.ordinal(value).map { Phrase.word($0) }
        return .joined(words.dropLast() + words.suffix(1).map { $0.tag("\(value)") })
      })
  }

  /// Splits a range into groups of heads (digits before “hundred”, numbers before “thousand”) that
  /// share the same rest.
  private static func groups(
    _ range: ClosedRange<Int>, by unit: Int
  ) -> [(heads: ClosedRange<Int>, rest: ClosedRange<Int>)] {
    var groups: [(heads: ClosedRange<Int>, rest: ClosedRange<Int>)] = []
    var low = range.lowerBound
    let high = range.upperBound
    if low % unit != 0 {
      let head = low / unit
      groups.append((head...head, low % unit...min(high - head * unit, unit - 1)))
      low = (head + 1) * unit
    }
    if low <= high, (high + 1) / unit > low / unit {
      groups.append((low / unit...(high + 1) / unit - 1, 0...unit - 1))
      low = (high + 1) / unit * unit
    }
    if low <= high { groups.append((low / unit...low / unit, 0...high - low)) }
    return groups
  }

  /// The word of a number below twenty, or of a multiple of ten below a hundred.
  private static func word(_ value: Int) -> Phrase { .word(EnglishNumber.cardinal(value)[0]) }
}

extension ClosedRange<Int> {
  /// The part of the range within the bounds; `nil` if there is none.
  func clamped(to low: Int, _ high: Int) -> ClosedRange<Int>? {
    let low = Swift.max(low, lowerBound)
    let high = Swift.min(high, upperBound)
    return low <= high ? low...high : nil
  }
}

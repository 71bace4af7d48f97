import Foundation
import SpeechText
import TestSupport
import Testing

@testable import SpeechGrammar

@Suite struct EnglishSlotTests {
  @Test(arguments: [
    ("zero", 0), ("oh", 0), ("seven", 7), ("nineteen", 19), ("twenty", 20), ("twenty one", 21),
    ("a hundred", 100), ("one hundred", 100), ("one hundred and one", 101), ("one oh five", 105),
    ("one fifty", 150), ("nine ninety nine", 999), ("three hundred sixteen", 316),
    ("a thousand", 1000),
    ("twelve hundred", 1200), ("twelve hundred and fifty", 1250), ("two thousand and six", 2006),
    ("ten thousand", 10_000), ("a hundred thousand", 100_000),
    ("a hundred and two thousand", 102_000),
    ("nine hundred ninety nine thousand nine hundred ninety nine", 999_999),
    ("thirty five thousand one fifty", 35_150), ("1,000", 1000), ("250,000", 250_000), ("42", 42),
  ])
  func `spoken numbers have their value`(text: String, number: Int) throws {
    #expect(try Self.numbers.get().match(text)?["slot"]?.value == .number(number))
  }

  private static let numbers = made(.number)

  /// Created once for all tests; if that fails, all of them do.
  private static func made(_ type: SlotType) -> Result<CommandMatcher, any Error> {
    Result { try slotMatcher(type) }
  }

  @Test func `every number is recognised in words and in digits`() throws {
    var random = SplitMix(seed: 7)
    let some = Array(0...1100) + (0..<700).map { _ in random.next(1_000_000) }
    for number in some {
      let words = EnglishNumber.cardinal(number)
      #expect(try Self.numbers.get().match(words: words)?["slot"]?.integer == number, "\(words)")
      #expect(try Self.numbers.get().match("\(number)")?["slot"]?.integer == number, "\(number)")
    }
  }

  @Test(arguments: [
    0...9, 1...12, 5...37, 95...105, 0...100, 1...100, 100...100, 99...1101, 150...349, 2000...2099,
    999...1001, 1234...56_789, 990_000...999_999, 0...1_000, 999_999...999_999, 17...17,
  ])
  func `a range holds its numbers and no others`(range: ClosedRange<Int>) throws {
    let matcher = try slotMatcher(.number(range))
    var random = SplitMix(seed: 8)
    var some = Set((0..<100).map { _ in random.next(1_000_000) } + Array(0...300))
    for edge in [range.lowerBound, range.upperBound] {
      for near in -101...101 { some.insert(edge + near) }
    }
    for number in some where (0...999_999).contains(number) {
      let match = matcher.match(words: EnglishNumber.cardinal(number))
      let expected = range.contains(number) ? number : nil
      #expect(match?["slot"]?.integer == expected, "\(number)")
    }
    // Every other sentence of the slot means a number of the range as well.
    for sentence in try matcher.grammar.randomSentences(100, using: &random) {
      for reading in matcher.readings(of: sentence) {
        let number = try #require(reading["slot"]?.integer)
        #expect(range.contains(number), "\(sentence): \(number)")
      }
    }
  }

  @Test(arguments: [1...31, 1...999, 20...120, 100...100, 7...7])
  func `ordinals`(range: ClosedRange<Int>) throws {
    let matcher = try slotMatcher(.ordinal(range))
    for number in 1...999 {
      let match = matcher.match(words: EnglishNumber.ordinal(number))
      #expect(
        match?["slot"]?.value == (range.contains(number) ? .ordinal(number) : nil), "\(number)")
    }
  }

  @Test func `ordinals are also recognised in digits`() throws {
    let matcher = try slotMatcher(.ordinal)
    #expect(matcher.match("21st")?["slot"]?.integer == 21)
    #expect(matcher.match("the 3rd") == nil)
    #expect(matcher.match("hundredth")?["slot"]?.integer == 100)
    #expect(matcher.match("a hundred and second")?["slot"]?.integer == 102)
    #expect(matcher.match("102nd")?["slot"]?.integer == 102)
  }

  @Test(arguments: [
    ("seven", "07:00?"), ("seven o'clock", "07:00?"), ("seven thirty", "07:30?"),
    ("seven oh five", "07:05?"), ("half past seven", "07:30?"), ("quarter to eight", "07:45?"),
    ("a quarter of eight", "07:45?"), ("ten past twelve", "12:10?"), ("quarter to one", "12:45?"),
    ("twenty five minutes to six", "05:35?"), ("twelve thirty", "12:30?"),
    ("seven thirty p.m.", "19:30"), ("seven thirty p m", "19:30"), ("seven a.m.", "07:00"),
    ("twelve a.m.", "00:00"), ("twelve p.m.", "12:00"), ("quarter to twelve p.m.", "23:45"),
    ("quarter past twelve a.m.", "00:15"), ("seven in the evening", "19:00"),
    ("ten at night", "22:00"), ("one at night", "01:00"), ("six in the morning", "06:00"),
    ("noon", "12:00"), ("midday", "12:00"), ("midnight", "00:00"), ("nineteen thirty", "19:30"),
    ("twenty one fifteen", "21:15"), ("oh seven hundred hours", "07:00"),
    ("zero thirty", "00:30"), ("oh nine forty five", "09:45"), ("fifteen hundred", "15:00"),
    ("7:30", "07:30?"), ("07:30", "07:30?"), ("7:05", "07:05?"), ("19:05", "19:05"),
    ("23:00", "23:00"),
    ("0:20", "00:20"), ("00:00", "00:00"), ("7:30am", "07:30"), ("7 pm", "19:00"), ("7pm", "19:00"),
    ("12:00", "12:00?"), ("ten to seven in the morning", "06:50"),
  ])
  func `times of day`(text: String, expected: String) throws {
    let time = try #require(try Self.times.get().match(text)?["slot"]?.time)
    #expect("\(time)" + (time.isHalfKnown ? "" : "?") == expected)
  }

  private static let times = made(.time)

  @Test(arguments: [
    ("ninety seconds", 90), ("an hour", 3600), ("an hour and a half", 5400), ("half an hour", 1800),
    ("two and a half hours", 9000), ("five minutes", 300), ("one minute thirty seconds", 90),
    ("three hours and ten minutes", 11_400), ("an hour ten minutes and five seconds", 4205),
    ("a quarter of an hour", 900), ("three quarters of an hour", 2700),
    ("a couple of days", 172_800),
    ("two weeks", 1_209_600), ("one day and six hours", 108_000), ("10 minutes", 600),
    ("one hundred and twenty seconds", 120), ("a week and a half", 907_200), ("90 seconds", 90),
  ])
  func `durations`(text: String, seconds: Int) throws {
    #expect(try slotMatcher(.duration).match(text)?["slot"]?.duration == .seconds(seconds))
  }

  /// Spoken on Wednesday, 18 November 2026.
  @Test(arguments: [
    ("today", "2026-11-18"), ("tomorrow", "2026-11-19"), ("yesterday", "2026-11-17"),
    ("the day after tomorrow", "2026-11-20"), ("the day before yesterday", "2026-11-16"),
    ("tuesday", "2026-11-24"), ("next tuesday", "2026-11-24"), ("this wednesday", "2026-11-18"),
    ("wednesday", "2026-11-25"), ("next friday", "2026-11-20"), ("last tuesday", "2026-11-17"),
    ("last wednesday", "2026-11-11"), ("the third of may", "2027-05-03"),
    ("may third", "2027-05-03"),
    ("may the third", "2027-05-03"), ("third may", "2027-05-03"), ("the third", "2026-12-03"),
    ("the twenty first", "2026-11-21"), ("the thirty first", "2026-12-31"),
    ("november eighteenth", "2026-11-18"), ("may third twenty thirty", "2030-05-03"),
    ("the first of january nineteen eighty four", "1984-01-01"),
    ("july fourth two thousand and five", "2005-07-04"),
    ("july fourth twenty oh five", "2005-07-04"),
    ("monday the third of may", "2027-05-03"), ("february twenty ninth", "2028-02-29"),
    ("thirty first of february", "none"), ("in three days", "2026-11-21"),
    ("in a week", "2026-11-25"),
    ("two weeks ago", "2026-11-04"), ("a month from now", "2026-12-18"),
    ("next month", "2026-12-18"),
    ("last year", "2025-11-18"), ("next week", "2026-11-25"), ("May 3rd", "2027-05-03"),
    ("may 3", "2027-05-03"), ("3 May 2030", "2030-05-03"), ("May 3rd, 2030", "2030-05-03"),
  ])
  func `dates`(text: String, expected: String) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let now = try #require(
      calendar.date(from: DateComponents(year: 2026, month: 11, day: 18, hour: 15)))
    let match = try #require(try Self.dates.get().match(text))
    let date = try #require(match["slot"]?.date)
    let found = date.components(from: now, calendar: calendar).map {
      String(format: "%04d-%02d-%02d", $0.year ?? 0, $0.month ?? 0, $0.day ?? 0)
    }
    #expect(found ?? "none" == expected)
    struct Dated: Decodable { var slot: Date? }
    #expect(
      (try? match.decode(Dated.self, now: now, calendar: calendar).slot)
        == date.date(from: now, calendar: calendar))
  }

  private static let dates = made(.date)

  @Test func `a time without a half of the day is the next one`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let now = try #require(
      calendar.date(from: DateComponents(year: 2026, month: 11, day: 18, hour: 15)))
    func hours(_ time: SpokenTime) -> Double? {
      time.next(after: now, calendar: calendar).map { $0.timeIntervalSince(now) / 3600 }
    }
    #expect(hours(SpokenTime(hour: 7, isHalfKnown: false)) == 4)
    #expect(hours(SpokenTime(hour: 7)) == 16)
    #expect(hours(SpokenTime(hour: 2, minute: 30, isHalfKnown: false)) == 11.5)
    #expect(hours(SpokenTime(hour: 12, isHalfKnown: false)) == 9)
  }

  @Test func `every sentence of a slot has a value`() throws {
    for type in [SlotType.time, .date, .duration, .number, .ordinal] {
      let matcher = try slotMatcher(type)
      var random = SplitMix(seed: 4)
      for sentence in try matcher.grammar.randomSentences(500, using: &random) {
        #expect(matcher.match(sentence)?["slot"] != nil, "\(sentence)")
      }
    }
  }
}

/// English times of day and durations.
enum EnglishTimes {
  // MARK: - Time of day

  static let timeOfDay = Phrase.either([

    .joined([.either([clock, spelled]), .optional(half)]), military,
    .tagged(.either("noon", "midday"), ["12", "hour24"]),
    .tagged(.word("midnight"), ["0", "hour24"]),
  ])

  private static let hour = Phrase.tagged(EnglishNumberPhrases.cardinal(1...12), ["hour"])
  private static let minute = Phrase.tagged(
    .either([
      .joined([.word("oh"), EnglishNumberPhrases.cardinal(1...9)]),
      EnglishNumberPhrases.cardinal(10...59),
    ]), ["minute"])

  /// “seven thirty”, “seven o'clock”, “seven”.
  private static let clock = Phrase.joined([
    hour, .optional(.either([minute, .word("o'clock")])),
  ])

  /// “half past seven”, “ten to seven”, “a quarter of seven”.
  private static let spelled = Phrase.either([
    .joined([.tagged(Phrase("half past"), ["30", "minute"]), hour]),
    .joined([
      .tagged(.joined([parts, .either("past", "after")]), ["minute"]), hour,
    ]),
    .joined([
      .tagged(.joined([parts, .either("to", "before", "of", "till")]), ["before"]), hour,
    ]),
  ])

  private static let parts = Phrase.either([
    .joined([.optional(.word("a")), Phrase.word("quarter").tag("15")]),
    .joined([EnglishNumberPhrases.cardinal(1...29), .optional(.either("minute", "minutes"))]),
  ])

  private static let half = Phrase.either([
    .tagged(.either("a.m.", "in the morning"), ["am"]),
    .tagged(.either("p.m.", "in the afternoon", "in the evening"), ["pm"]),
    .tagged(Phrase("at night"), ["night"]),
  ])

  /// “nineteen thirty”, “oh seven hundred hours”.
  private static let military: Phrase = {
    let early = Phrase.tagged(
      .either([
        .joined([.word("oh"), EnglishNumberPhrases.cardinal(1...9)]), Phrase.word("zero").tag("0"),
      ]), ["hour24"])
    let middle = Phrase.tagged(EnglishNumberPhrases.cardinal(10...12), ["hour24"])
    let late = Phrase.tagged(EnglishNumberPhrases.cardinal(13...23), ["hour24"])
    let hundred = Phrase.joined([.word("hundred"), .optional(.word("hours"))])
    return .either([
      .joined([.either([early, late]), .either([minute, hundred])]), .joined([middle, hundred]),
    ])
  }()

  // MARK: - Lengths of time

  private struct Unit {
    var seconds: Int
    var names: Phrase
    /// “a minute”, “an hour”.
    var single: Phrase

    init(_ name: String, _ seconds: Int) {
      self.seconds = seconds
      names = .either(name, name + "s")
      single = Phrase((name == "hour" ? "an " : "a ") + name)
    }

    /// A number of units.
    func count(_ range: ClosedRange<Int>) -> Phrase {
      .either([
        .tagged(
          .joined([EnglishNumberPhrases.cardinal(range), names]), ["\(seconds)", "*", "span"]),
        .tagged(single, ["\(seconds)", "span"]),
      ])
    }
  }

  private static let second = Unit("second", 1)
  private static let minutes = Unit("minute", 60)
  private static let hours = Unit("hour", 3600)
  private static let days = Unit("day", 86_400)
  private static let weeks = Unit("week", 604_800)

  static let duration: Phrase = {
    let units = [second, minutes, hours, days, weeks]
    var ways = units.map { $0.count(1...999) }
    ways += units.map { unit in
      .tagged(.joined([Phrase("a couple of"), unit.names]), ["\(2 * unit.seconds)", "span"])
    }
    for unit in [minutes, hours, days, weeks] {
      ways += [
        .tagged(
          .joined([unit.single, Phrase("and a half")]), ["\(unit.seconds * 3 / 2)", "span"]),
        .joined([
          .tagged(EnglishNumberPhrases.cardinal(1...99), ["\(unit.seconds)", "*", "span"]),
          .tagged(.joined([Phrase("and a half"), unit.names]), ["\(unit.seconds / 2)", "span"]),
        ]),
      ]
    }
    ways += [
      .tagged(.either("half a minute", "a half minute"), ["30", "span"]),
      .tagged(.either("half an hour", "a half hour", "half hour"), ["1800", "span"]),
      .tagged(
        .either("quarter of an hour", "a quarter of an hour", "a quarter hour"), ["900", "span"]),
      .tagged(Phrase("three quarters of an hour"), ["2700", "span"]),
      .tagged(Phrase("an hour and a quarter"), ["4500", "span"]),
      .tagged(Phrase("half a day"), ["43200", "span"]),
    ]
    let and = Phrase.optional(.word("and"))
    let last = Phrase.joined([and, second.count(1...59)])
    ways += [
      .joined([hours.count(1...99), and, minutes.count(1...59), .optional(last)]),
      .joined([minutes.count(1...99), last]),
      .joined([days.count(1...99), and, hours.count(1...23)]),
    ]
    return .either(ways)
  }()
}

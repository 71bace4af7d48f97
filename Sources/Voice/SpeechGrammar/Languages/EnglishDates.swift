enum EnglishDates {
  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  static let date = Phrase.either([near, onWeekday, distance, named])

  private static let near = Phrase.either([
    Phrase.tagged(.word("today"), ["0", "days"]),
    Phrase.tagged(.word("tomorrow"), ["1", "days"]),
    Phrase.tagged(.word("yesterday"), ["-1", "days"]),
    Phrase.tagged(Phrase("the day after tomorrow"), ["2", "days"]),
    Phrase.tagged(Phrase("the day before yesterday"), ["-2", "days"]),
  ])

  private static let weekday = Phrase.either(
    weekdays.enumerated().map { Phrase.tagged(.word($1), ["\($0 + 1)", "weekday"]) })

  private static let onWeekday = Phrase.joined([
    .optional(
      .either([
        Phrase.word("this").tag("this"), Phrase.word("next").tag("next"),
        Phrase.word("last").tag("last"),
      ])), weekday,
  ])

  private static let units = ["day", "week", "month", "year"]

  /// “in three days”, “a week ago”, “next month”.
  private static let distance: Phrase = {
    var ways: [Phrase] = []
    for unit in units {
      let tag = unit + "s"
      let names = Phrase.either(unit, unit + "s")
      for (sign, before, after) in [("1", "in", ""), ("1", "", "from now"), ("-1", "", "ago")] {
        ways += [
          .joined([
            Phrase(before),
            .tagged(
              .joined([EnglishNumberPhrases.cardinal(1...99), names, Phrase(after)]),
              [sign, "*", tag]),
          ]),
          .tagged(.joined([Phrase(before), Phrase("a " + unit), Phrase(after)]), [sign, tag]),
        ]
      }
      if unit != "day" {
        ways += [
          .tagged(Phrase("next " + unit), ["1", tag]),
          .tagged(Phrase("last " + unit), ["-1", tag]),
        ]
      }
    }
    return .either(ways)
  }()

  /// “the third of may”, “may third”, “tuesday the third of may twenty twenty six”, “the third”.
  private static let named: Phrase = {
    let month = Phrase.either(
      months.enumerated().map { Phrase.tagged(.word($1), ["\($0 + 1)", "month"]) })
    let day = Phrase.tagged(EnglishNumberPhrases.ordinal(1...31), ["day"])
    let the = Phrase.optional(.word("the"))
    let dayAndMonth = Phrase.either([
      .joined([the, day, .optional(.word("of")), month]), .joined([month, the, day]),
    ])
    return .joined([
      .optional(weekday),
      .either([.joined([dayAndMonth, .optional(year)]), .joined([.word("the"), day])]),
    ])
  }()

  /// A year from 1900 to 2099.
  private static let year: Phrase = {
    let rest = Phrase.either([
      .joined([.word("oh"), EnglishNumberPhrases.cardinal(1...9)]),
      EnglishNumberPhrases.cardinal(10...99),
    ]).tag("+")
    return .tagged(
      .either([
        .joined([Phrase.word("twenty").tag("2000"), rest]),
        .joined([Phrase.word("nineteen").tag("1900"), .either([rest, .word("hundred")])]),
        .joined([
          Phrase("two thousand").tag("2000"),
          .optional(
            .joined([.optional(.word("and")), EnglishNumberPhrases.cardinal(1...99).tag("+")])),
        ]),
      ]), ["year"])
  }()
}

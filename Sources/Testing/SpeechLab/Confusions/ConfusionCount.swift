/// Counts confusions between commands.
struct ConfusionCount {
  /// A sentence and the text that was recognised instead.
  private struct Pair: Hashable {
    var line: Int
    var heard: String
  }

  let grammar: TestedGrammar
  let sample: SentenceSample
  let conditions: SpeakingConditions
  let words: PocketSphinxWords

  func report(
    of trials: [(trial: SpokenTrial, outcome: RecognitionWorkers.Outcome)]
  ) throws -> ConfusionReport {
    let matches = sample.sentences.map { grammar.matcher.match($0) }
    var report = ConfusionReport(
      grammar: grammar.commands.name, sentences: try grammar.commands.sentenceCount().description,
      isComplete: sample.isComplete, conditions: conditions,
      commands: zip(sample.sentences, matches).map {
        .init(text: $0, intent: $1?.intent ?? "", exact: .init(), understood: .init())
      }, confusions: [], words: [],
      levels: conditions.levels.map { .init(name: $0.name, understood: .init()) },
      speakers: conditions.speakers.map { .init(name: $0.name, understood: .init()) })
    var pairs: [Pair: (counts: [Int], isSame: Bool)] = [:]
    for (trial, outcome) in trials {
      let said = sample.sentences[trial.line]
      let isExact = ErrorRate.words(of: said) == ErrorRate.words(of: outcome.text)
      let isUnderstood =
        isExact || Self.isSame(matches[trial.line], grammar.matcher.match(outcome.text))
      report.commands[trial.line].exact.add(isExact)
      report.commands[trial.line].understood.add(isUnderstood)
      report.levels[trial.scene].understood.add(isUnderstood)
      report.speakers[trial.voice].understood.add(isUnderstood)
      guard !isExact else { continue }
      let pair = Pair(line: trial.line, heard: outcome.text)
      let none = (Array(repeating: 0, count: conditions.levels.count), isUnderstood)
      pairs[pair, default: none].counts[trial.scene] += 1
    }
    report.confusions = try pairs.map { pair, found in
      try confusion(pair, counts: found.counts, isSame: found.isSame)
    }.sorted(by: isBefore)
    report.words = Self.words(of: report.harmful)
    return report
  }

  private static func isSame(_ said: CommandMatch?, _ heard: CommandMatch?) -> Bool {
    guard let said, let heard else { return false }
    return said.intent == heard.intent && said.tags == heard.tags
      && said.slots.map(\.name) == heard.slots.map(\.name)
      && said.slots.map(\.value) == heard.slots.map(\.value)
  }

  /// Orders confusions: those that change the meaning first, then those without noise, then
  /// frequent ones.
  private func isBefore(
    _ one: ConfusionReport.Confusion, _ other: ConfusionReport.Confusion
  ) -> Bool {
    func weight(_ confusion: ConfusionReport.Confusion) -> (Int, Int, Int) {
      let clean = zip(conditions.levels, confusion.countsByLevel).filter { $0.0.noise == nil }
      return (
        confusion.changesMeaning ? 1 : 0, clean.reduce(0) { $0 + $1.1 }, confusion.count.count
      )
    }
    let (left, right) = (weight(one), weight(other))
    return left == right ? (one.said, one.heard) < (other.said, other.heard) : left > right
  }

  private func confusion(
    _ pair: Pair, counts: [Int], isSame: Bool
  ) throws -> ConfusionReport.Confusion {
    let said = sample.sentences[pair.line]
    let count = counts.reduce(0, +)
    let parts = Self.partings(said, pair.heard).map {
      ConfusionReport.WordConfusion(said: $0.said, heard: $0.heard, count: count)
    }
    let isInNoiseOnly =
      !zip(conditions.levels, counts).contains { $0.noise == nil && $1 > 0 }
      && conditions.levels.contains(.clean)
    return .init(
      said: said, heard: pair.heard, count: Proportion(count, of: conditions.count),
      changesMeaning: !isSame, countsByLevel: counts, words: parts,
      advice: try ConfusionAdvice(words: words).text(
        heard: pair.heard, parts: parts, isSame: isSame, isInNoiseOnly: isInNoiseOnly))
  }

  /// Returns the stretches of words in which two sentences differ.
  private static func partings(
    _ said: String, _ heard: String
  ) -> [(said: String, heard: String)] {
    guard !heard.isEmpty else { return [] }
    let steps = Alignment(ErrorRate.words(of: said), ErrorRate.words(of: heard)).steps
    return steps.split { if case .same = $0 { true } else { false } }.map { part in
      (
        part.compactMap(\.said).joined(separator: " "),
        part.compactMap(\.heard).joined(separator: " ")
      )
    }
  }

  private static func words(
    of confusions: [ConfusionReport.Confusion]
  ) -> [ConfusionReport.WordConfusion] {
    var counts: [[String]: Int] = [:]
    for confusion in confusions {
      for part in confusion.words { counts[[part.said, part.heard], default: 0] += part.count }
    }
    return counts.map { .init(said: $0[0], heard: $0[1], count: $1) }
      .sorted { ($1.count, $0.said, $0.heard) < ($0.count, $1.said, $1.heard) }
  }
}

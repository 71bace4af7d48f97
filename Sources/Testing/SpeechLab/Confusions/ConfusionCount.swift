/// Counts confusions between commands.
struct ConfusionCount {
  /// One sentence, spoken once.
  struct Trial {
    var line: Int
    var speaker: Int
    var level: Int
    var heard: String
  }

  /// A sentence and the text that was recognised instead.
  private struct Pair: Hashable {
    var line: Int
    var heard: String
  }

  let grammar: TestedGrammar
  let sample: SentenceSample
  let conditions: SpeakingConditions
  let words: PocketSphinxWords

  func report(of trials: [Trial]) throws -> ConfusionReport {
    let matches = sample.sentences.map { grammar.matcher.match($0) }
    var exact = Array(repeating: 0, count: matches.count)
    var understood = Array(repeating: 0, count: matches.count)
    var byLevel = Array(repeating: Proportion(0, of: 0), count: conditions.levels.count)
    var bySpeaker = Array(repeating: Proportion(0, of: 0), count: conditions.speakers.count)
    var pairs: [Pair: (counts: [Int], isSame: Bool)] = [:]
    for trial in trials {
      let said = sample.sentences[trial.line]
      let isExact = ErrorRate.words(of: said) == ErrorRate.words(of: trial.heard)
      let isUnderstood =
        isExact || Self.isSame(matches[trial.line], grammar.matcher.match(trial.heard))
      exact[trial.line] += isExact ? 1 : 0
      understood[trial.line] += isUnderstood ? 1 : 0
      byLevel[trial.level].add(isUnderstood)
      bySpeaker[trial.speaker].add(isUnderstood)
      guard !isExact else { continue }
      let pair = Pair(line: trial.line, heard: trial.heard)
      let none = (Array(repeating: 0, count: conditions.levels.count), isUnderstood)
      pairs[pair, default: none].counts[trial.level] += 1
    }
    let confusions = try pairs.map { pair, found in
      try confusion(pair, counts: found.counts, isSame: found.isSame)
    }.sorted(by: isBefore)
    return ConfusionReport(
      grammar: grammar.commands.name, sentences: try grammar.commands.sentenceCount().description,
      isComplete: sample.isComplete, conditions: conditions,
      commands: sample.sentences.indices.map { line in
        .init(
          text: sample.sentences[line], intent: matches[line]?.intent ?? "",
          exact: Proportion(exact[line], of: conditions.count),
          understood: Proportion(understood[line], of: conditions.count))
      },
      confusions: confusions, words: Self.words(of: confusions.filter(\.changesMeaning)),
      levels: zip(conditions.levels, byLevel).map { .init(name: $0.name, understood: $1) },
      speakers: zip(conditions.speakers, bySpeaker).map { .init(name: $0.name, understood: $1) })
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
    var parts: [(said: [String], heard: [String])] = []
    var isOpen = false
    for step in Alignment(ErrorRate.words(of: said), ErrorRate.words(of: heard)).steps {
      if case .same = step {
        isOpen = false
        continue
      }
      if !isOpen { parts.append(([], [])) }
      isOpen = true
      switch step {
      case .same: break
      case .replaced(let one, let other):
        parts[parts.count - 1].said.append(one)
        parts[parts.count - 1].heard.append(other)
      case .missing(let word): parts[parts.count - 1].said.append(word)
      case .added(let word): parts[parts.count - 1].heard.append(word)
      }
    }
    return parts.map { ($0.said.joined(separator: " "), $0.heard.joined(separator: " ")) }
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

extension Proportion {
  mutating func add(_ isOne: Bool) {
    count += isOne ? 1 : 0
    total += 1
  }
}

import SpeechConcurrency

/// Sentences of a grammar to be tried: all, or as many as wanted, so that each of its words is among them.
///
/// Of sentences that differ in a number, a time, a day or a length of time only, three are taken.
///
/// ```swift
/// let sample = try SentenceSample(grammar, limit: 100, seed: 1)
/// print(sample.sentences, sample.isComplete)
/// ```
public struct SentenceSample: Sendable, Hashable, Codable {
  /// The sentences, in the order of the grammar where all were looked through.
  public var sentences: [String]
  /// Whether there are no others.
  public var isComplete: Bool

  /// How many sentences are looked through at most.
  private static let most = 5_000
  private static let alike = 3

  /// A sample of the grammar.
  ///
  /// - Throws: `CommandGrammarError`.
  public init(
    _ grammar: TestedGrammar, limit: Int, seed: UInt64
  ) throws(CommandGrammarError) {
    var random = SeededNumbers(seed: seed, part: "sentences")
    let isListed: Bool
    if case .exactly(let count) = try grammar.commands.sentenceCount(), count <= Self.most {
      isListed = true
    } else {
      isListed = false
    }
    let all: [String]
    if isListed {
      all = try grammar.commands.sentences(limit: Self.most)
    } else {
      var generator = SeededNumbers(seed: random.next())
      all = try grammar.commands.randomSentences(Self.most, using: &generator).uniqued()
    }
    let order = all.indices.shuffled(using: &random)
    let kept = Self.differing(order, all, grammar.matcher)
    let chosen = kept.count <= limit ? kept : Self.covering(kept, all, limit: limit)
    sentences = chosen.sorted().map { all[$0] }
    isComplete = isListed && chosen.count == all.count
  }

  /// A few of those that are alike but for what ready-made slots hold.
  private static func differing(
    _ order: [Int], _ all: [String], _ matcher: CommandMatcher
  ) -> [Int] {
    var counts: [String: Int] = [:]
    return order.filter { index in
      guard let shape = shape(of: all[index], matcher) else { return true }
      counts[shape, default: 0] += 1
      return counts[shape, default: 0] <= alike
    }
  }

  /// The sentence without what its ready-made slots hold; `nil` if it has none.
  private static func shape(of sentence: String, _ matcher: CommandMatcher) -> String? {
    guard let match = matcher.match(sentence) else { return nil }
    let ready = match.slots.filter { $0.code == nil }
    guard !ready.isEmpty else { return nil }
    var words = match.words
    for slot in ready.sorted(by: { $0.words.lowerBound > $1.words.lowerBound }) {
      words.replaceSubrange(slot.words, with: ["{\(slot.name)}"])
    }
    return words.joined(separator: " ")
  }

  /// So many: first those that bring a word which was not there before.
  private static func covering(_ order: [Int], _ all: [String], limit: Int) -> [Int] {
    var words: Set<Substring> = []
    var first: [Int] = []
    var rest: [Int] = []
    for index in order {
      let new = Set(all[index].split(separator: " ")).subtracting(words)
      words.formUnion(new)
      if new.isEmpty { rest.append(index) } else { first.append(index) }
    }
    return Array((first + rest).prefix(max(limit, 0)))
  }
}

extension Array where Element: Hashable {
  /// Each once, in the order in which they are there first.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

import SpeechConcurrency

/// Sentences of a grammar for a test: all of them, or a sample that contains every word.
///
/// Of sentences that differ only in a number, a time, a day or a duration, the sample contains
/// three.
///
/// ```swift
/// let sample = try SentenceSample(grammar, limit: 100, seed: 1)
/// print(sample.sentences, sample.isComplete)
/// ```
public struct SentenceSample: Sendable, Hashable, Codable {
  /// The sentences, in the order of the grammar if all of them were examined.
  public var sentences: [String]
  /// True if the grammar has no other sentences.
  public var isComplete: Bool

  /// The maximum number of sentences that are examined.
  private static let most = 5_000
  private static let alike = 3

  /// Samples the sentences of a grammar.
  ///
  /// - Throws: `CommandGrammarError`.
  public init(
    _ grammar: TestedGrammar, limit: Int, seed: UInt64
  ) throws(CommandGrammarError) {
    var random = SeededNumbers(seed: seed, part: "sentences")
    let count = try grammar.commands.sentenceCount()
    let isListed = if case .exactly(let count) = count { count <= Self.most } else { false }
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

  /// Returns a few of the sentences that differ only in built-in slots.
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

  /// Returns the sentence without the values of its built-in slots; `nil` if it has none.
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

  /// Returns the given number of sentences, those with new words first.
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
  /// Returns each element once, in the order of first appearance.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

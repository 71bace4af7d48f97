import Foundation
import SpeechText

/// Builds a language model from sentences.
///
/// ```swift
/// var builder = LanguageModelBuilder(locale: Locale(identifier: "en_US"))
/// try builder.add(contentsOf: URL(filePath: "sentences.txt"))
/// let model = try builder.build()
/// ```
/// Its memory grows with the number of distinct n-grams, not with the text. The same sentences give
/// the same model, bit by bit.
public struct LanguageModelBuilder: Sendable {
  /// The length of the longest n-grams, from 1 to 4.
  package let order: Int
  package let normalizer: SentenceNormalizer
  /// The method that reserves probability for unseen n-grams.
  public var smoothing = LanguageModelSmoothing.automatic
  /// The number of occurrences below which n-grams are dropped, beginning with single words: `[1,
  /// 1, 2]` drops trigrams that occur once. A dropped word counts as unknown. Lengths without a
  /// number keep all n-grams.
  public var leastCounts: [Int] = []

  /// The number of sentences so far, without empty ones.
  package private(set) var sentenceCount = 0
  /// The number of their words.
  package private(set) var wordCount = 0

  private var words = ReservedWord.all
  private var numbers: [String: UInt32] = [:]
  private var wordCounts: [UInt32] = [0, 0, 0]
  private var chains: [NGramCounts]

  /// Creates a builder without sentences. The order is limited to 1…4.
  public init(locale: Locale, order: Int = 3) {
    self.order = min(max(order, 1), LanguageModel.mostOrder)
    normalizer = SentenceNormalizer(locale: locale)
    chains = Array(repeating: NGramCounts(), count: self.order - 1)
  }

  /// The distinct words, in the order of their first occurrence.
  public var vocabulary: [String] { Array(words.dropFirst(ReservedWord.all.count)) }

  /// Adds one sentence as it is written.
  public mutating func add(_ sentence: String) {
    add(words: normalizer.words(of: sentence))
  }

  /// Adds the sentences of a text file of any size, one per line.
  ///
  /// - Throws: `LanguageModelError` if it cannot be read or has a line of more than 1 MiB;
  ///   `CancellationError` if the task is cancelled.
  public mutating func add(contentsOf file: URL) throws {
    try SentenceFile(file).forEachLine { line in
      add(words: normalizer.words(of: line))
    }
  }

  /// Adds a sentence of normalised words.
  mutating func add(words sentence: [String]) {
    guard !sentence.isEmpty else { return }
    sentenceCount += 1
    wordCount += sentence.count
    var context = NGramKey(ReservedWord.start)
    wordCounts[Int(ReservedWord.start)] &+= 1
    var length = 1
    for index in 0...sentence.count {
      let word = index < sentence.count ? number(of: sentence[index]) : ReservedWord.end
      wordCounts[Int(word)] &+= 1
      var key = context.followed(by: word)
      // From the longest n-gram that ends here to the bigram.
      for count in stride(from: length + 1, to: 1, by: -1) {
        if count <= order { chains[count - 2].add(key) }
        key = key.suffix(of: count)
      }
      context = context.followed(by: word)
      length += 1
      if length >= order {
        let longest = max(order - 1, 1)
        context &= (1 << NGramKey(32 * longest)) - 1
        length = longest
      }
    }
  }

  private mutating func number(of word: String) -> UInt32 {
    if let number = numbers[word] { return number }
    let number = UInt32(words.count)
    words.append(word)
    wordCounts.append(0)
    numbers[word] = number
    return number
  }

  /// Builds the model of the sentences.
  ///
  /// - Parameter excluded: words that are unknown to the model, such as those without a
  ///   pronunciation.
  /// - Throws: `LanguageModelError` if there were no sentences, or too few for the chosen
  ///   smoothing.
  public func build(without excluded: Set<String> = []) throws(LanguageModelError) -> LanguageModel
  {
    guard sentenceCount > 0 else {
      throw LanguageModelError(
        reason: "There are no words in the sentences. Give at least one sentence.")
    }
    let least = UInt32(clamping: leastCounts.first ?? 1)
    var kept = ReservedWord.all
    var map: [UInt32] = []
    var single = NGramCounts.Run(keys: [0, 1, 2], counts: [0, 0, 0])
    for (number, word) in words.enumerated() {
      if number < ReservedWord.all.count {
        map.append(UInt32(number))
        single.counts[number] += wordCounts[number]
      } else if wordCounts[number] < least || excluded.contains(word) {
        map.append(ReservedWord.unknown)
        single.counts[Int(ReservedWord.unknown)] &+= wordCounts[number]
      } else {
        map.append(UInt32(kept.count))
        single.keys.append(NGramKey(kept.count))
        single.counts.append(wordCounts[number])
        kept.append(word)
      }
    }
    var runs = [single]
    for (index, chain) in chains.enumerated() {
      var chain = chain
      let run = chain.finish()
      runs.append(kept.count == words.count ? run : run.mapped(index + 2, map))
    }
    // An n-gram is kept only with its parts.
    var limits = leastCounts
    for index in limits.indices.dropFirst(2) {
      limits[index] = max(limits[index], limits[index - 1])
    }
    let estimator = try NGramEstimator(runs, leastCounts: limits, smoothing: smoothing)
    return LanguageModel(
      words: kept, levels: estimator.levels().dropLastEmpty(),
      smoothing: estimator.discounts.map { $0 == nil ? .wittenBell : .modifiedKneserNey })
  }
}

extension [NGramLevel] {
  /// The levels without trailing empty ones.
  func dropLastEmpty() -> [NGramLevel] {
    var levels = self
    while levels.count > 1, levels.last?.keys.isEmpty == true { levels.removeLast() }
    return levels
  }
}

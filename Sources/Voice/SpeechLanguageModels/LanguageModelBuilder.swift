import Foundation
import SpeechText

/// Makes a language model of sentences.
///
/// ```swift
/// var builder = LanguageModelBuilder(locale: Locale(identifier: "en_US"))
/// try builder.add(contentsOf: URL(filePath: "sentences.txt"))
/// let model = try builder.build()
/// ```
/// The memory that it takes grows with the number of different chains of words, not with the text. The same
/// sentences give the same model, bit by bit.
public struct LanguageModelBuilder: Sendable {
  /// The length of the longest chains, from 1 to 4.
  package let order: Int
  /// What makes words of the sentences.
  package let normalizer: SentenceNormalizer
  /// How likelihood is set aside for what the sentences do not show.
  public var smoothing = LanguageModelSmoothing.automatic
  /// How often a chain has to occur to be kept, beginning with single words, whose number is how often a word
  /// has to occur so as not to be unknown: `[1, 1, 2]` drops chains of three words that occur once. What is not
  /// named is kept.
  public var leastCounts: [Int] = []

  /// How many sentences there were so far; empty ones are none.
  package private(set) var sentenceCount = 0
  /// How many words they had.
  package private(set) var wordCount = 0

  private var words = ReservedWord.all
  private var numbers: [String: UInt32] = [:]
  private var wordCounts: [UInt32] = [0, 0, 0]
  private var chains: [NGramCounts]

  /// A builder without any sentence yet. Other orders than those from 1 to 4 are taken for the nearest.
  public init(locale: Locale, order: Int = 3) {
    self.order = min(max(order, 1), LanguageModel.mostOrder)
    normalizer = SentenceNormalizer(locale: locale)
    chains = Array(repeating: NGramCounts(), count: self.order - 1)
  }

  /// The words that occurred, in the order in which they came.
  public var vocabulary: [String] { Array(words.dropFirst(ReservedWord.all.count)) }

  /// Adds a sentence.
  public mutating func add(_ sentence: String) {
    add(words: normalizer.words(of: sentence))
  }

  /// Adds the sentences of a text file, one in each line, however large it is.
  ///
  /// - Throws: `LanguageModelError` if it cannot be read or has a line of more than 1 MiB;
  ///   `CancellationError` if the task is cancelled.
  public mutating func add(contentsOf file: URL) throws {
    try SentenceFile(file).forEachLine { line in
      add(words: normalizer.words(of: line))
    }
  }

  /// Adds a sentence of words that are in the form of the dictionary already.
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
      // From the longest chain that ends here to the one of two words.
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

  /// The model of the sentences.
  ///
  /// - Parameter excluded: words that are to be unknown to it, such as those that nobody can pronounce.
  /// - Throws: `LanguageModelError` if there were no sentences, or the smoothing that is asked for cannot be
  ///   done with them.
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
    // A chain is kept only with its parts.
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
  /// Without lengths of which there is no chain.
  func dropLastEmpty() -> [NGramLevel] {
    var levels = self
    while levels.count > 1, levels.last?.keys.isEmpty == true { levels.removeLast() }
    return levels
  }
}

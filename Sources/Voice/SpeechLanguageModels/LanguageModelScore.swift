import Foundation
import SpeechText

/// The quality of a model's predictions of a text.
///
/// ```swift
/// let score = try model.score(textIn: URL(filePath: "heldout.txt"), locale: locale)
/// print(score.perplexity ?? .infinity, score.coverage)
/// ```
public struct LanguageModelScore: Sendable, Hashable, Codable {
  /// The number of sentences, without empty ones.
  public var sentenceCount = 0
  /// The number of their words.
  public var wordCount = 0
  /// The number of words that are not in the model.
  public var unknownWordCount = 0
  /// The unknown words, with the number of their occurrences.
  public var unknownWords: [String: Int] = [:]
  /// The sum of the decimal logarithms of the known words and of the ends of sentences.
  public var logProbability = 0.0
  /// The sum for the unknown words; `nil` if the model gives them no probability.
  public var unknownLogProbability: Double? = 0

  /// The perplexity: the number of equally likely words that would be as hard to predict, over the
  /// known words and the ends of sentences; `nil` without words.
  public var perplexity: Double? {
    let count = wordCount - unknownWordCount + sentenceCount
    return count > 0 ? pow(10, -logProbability / Double(count)) : nil
  }

  /// The perplexity over all words; `nil` if the model gives unknown words no probability.
  public var perplexityWithUnknown: Double? {
    guard unknownWordCount > 0 else { return perplexity }
    return unknownLogProbability.map {
      pow(10, -(logProbability + $0) / Double(wordCount + sentenceCount))
    }
  }

  /// The share of words that the model knows, from 0 to 1; 1 without words.
  public var coverage: Double {
    wordCount > 0 ? 1 - Double(unknownWordCount) / Double(wordCount) : 1
  }

  /// Creates an empty score.
  public init() {}
}

extension LanguageModel {
  /// Scores sentences, which are normalised like those that models are built from.
  public func score(_ sentences: some Sequence<String>, locale: Locale) -> LanguageModelScore {
    let normalizer = SentenceNormalizer(locale: locale)
    var score = LanguageModelScore()
    for sentence in sentences { add(normalizer.words(of: sentence), to: &score) }
    return score
  }

  /// Scores the text of a file with a sentence in each line.
  ///
  /// - Throws: `LanguageModelError` if it cannot be read; `CancellationError` if the task is
  ///   cancelled.
  public func score(textIn file: URL, locale: Locale) throws -> LanguageModelScore {
    let normalizer = SentenceNormalizer(locale: locale)
    var score = LanguageModelScore()
    try SentenceFile(file).forEachLine { add(normalizer.words(of: $0), to: &score) }
    return score
  }

  func add(_ sentence: [String], to score: inout LanguageModelScore) {
    guard !sentence.isEmpty else { return }
    score.sentenceCount += 1
    score.wordCount += sentence.count
    var context: [UInt32] = startWord.map { [$0] } ?? []
    func log(_ word: UInt32) -> Double {
      context.removeFirst(max(context.count - order + 1, 0))
      defer { context.append(word) }
      let key = context.reduce(NGramKey(0)) { $0.followed(by: $1) }
      return logProbability(of: word, after: key, length: context.count)
    }
    for word in sentence {
      let number = numbers[word]
      guard let known = number, known != unknownWord else {
        score.unknownWordCount += 1
        score.unknownWords[word, default: 0] += 1
        if let unknownWord {
          let value = log(unknownWord)
          score.unknownLogProbability = score.unknownLogProbability.map { $0 + value }
        } else {
          score.unknownLogProbability = nil
          // No n-gram continues after an unknown word.
          context = []
        }
        continue
      }
      score.logProbability += log(known)
    }
    if let endWord { score.logProbability += log(endWord) }
  }
}

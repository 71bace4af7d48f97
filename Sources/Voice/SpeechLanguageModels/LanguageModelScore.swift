import Foundation
import SpeechText

/// How well a model expects a text.
///
/// ```swift
/// let score = try model.score(textIn: URL(filePath: "heldout.txt"), locale: locale)
/// print(score.perplexity ?? .infinity, score.coverage)
/// ```
public struct LanguageModelScore: Sendable, Hashable, Codable {
  /// How many sentences there were; empty ones are none.
  public var sentenceCount = 0
  /// How many words they had.
  public var wordCount = 0
  /// How many of the words the model does not know.
  public var unknownWordCount = 0
  /// The unknown words, by how often they occurred.
  public var unknownWords: [String: Int] = [:]
  /// The sum of the logarithms, to base ten, of the known words and of the sentences' ends.
  public var logProbability = 0.0
  /// The same of the unknown words; `nil` if the model gives such words no likelihood.
  public var unknownLogProbability: Double? = 0

  /// Among how many words, all equally likely, the model would be as unsure, at each known word and each
  /// sentence's end; `nil` if there were no words.
  public var perplexity: Double? {
    let count = wordCount - unknownWordCount + sentenceCount
    return count > 0 ? pow(10, -logProbability / Double(count)) : nil
  }

  /// The same at all words; `nil` if the model gives unknown words no likelihood.
  public var perplexityWithUnknown: Double? {
    guard unknownWordCount > 0 else { return perplexity }
    return unknownLogProbability.map {
      pow(10, -(logProbability + $0) / Double(wordCount + sentenceCount))
    }
  }

  /// The share of the words that the model knows, from 0 to 1; 1 for no words.
  public var coverage: Double {
    wordCount > 0 ? 1 - Double(unknownWordCount) / Double(wordCount) : 1
  }

  /// A score of nothing.
  public init() {}
}

extension LanguageModel {
  /// How well it expects these sentences, which are made words of as those are that models are built from.
  public func score(_ sentences: some Sequence<String>, locale: Locale) -> LanguageModelScore {
    let normalizer = SentenceNormalizer(locale: locale)
    var score = LanguageModelScore()
    for sentence in sentences { add(normalizer.words(of: sentence), to: &score) }
    return score
  }

  /// How well it expects the text of a file, with a sentence in each line.
  ///
  /// - Throws: `LanguageModelError` if it cannot be read; `CancellationError` if the task is cancelled.
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
          // Nothing is known behind it.
          context = []
        }
        continue
      }
      score.logProbability += log(known)
    }
    if let endWord { score.logProbability += log(endWord) }
  }
}

import Foundation
import SpeechAudio
import SpeechCore
import SpeechPocketSphinx

/// Checks the words of utterances against their audio.
package final class WordChecker {
  private let check: WordCheck
  private let scorer: PhoneScorer
  private let speller: WordSpeller
  private let terms: [VocabularyTerm]

  /// - Throws: `SpeechRecognitionError` if there is no acoustic model for the language, no known
  ///   pronunciation of a term, or too many terms.
  package init(_ check: WordCheck, locale: Locale) throws {
    // The decoys and the thresholds are those of English phones.
    guard locale.isEnglish else {
      throw SpeechRecognitionError.recognitionFailed(
        "Words can be checked against the audio in English only. Switch the check off for "
          + "“\(locale.identifier)”.")
    }
    guard check.vocabulary.count <= WordCheck.mostTerms else {
      throw SpeechRecognitionError.recognitionFailed(
        "The vocabulary has \(check.vocabulary.count) terms, and at most \(WordCheck.mostTerms) "
          + "can be checked. Leave out those that are said less often.")
    }
    var configuration = PocketSphinxConfiguration()
    configuration.pronunciationSource = check.pronunciations
    configuration.userDictionary = check.userDictionary
    self.check = check
    scorer = try PhoneScorer(configuration: configuration, locale: locale)
    let speller = try WordSpeller(configuration, locale: locale)
    self.speller = speller
    terms = try check.vocabulary.map { try VocabularyTerm($0, speller) }
  }

  /// Returns the utterance without the words that the audio does not support, and with the terms
  /// that it supports better; `nil` if no word is left.
  ///
  /// - Parameter audio: the utterance in 16 kHz.
  package func check(_ utterance: DecodedUtterance, in audio: PCMBuffer) throws -> DecodedUtterance?
  {
    guard utterance.isAccepted, utterance.keyPhrase == nil else { return utterance }
    var words = utterance.words
    let hasTimes = !words.isEmpty
    if !hasTimes {
      words = utterance.text.split(whereSeparator: \.isWhitespace).map {
        RecognizedWord(text: String($0), start: 0, end: 0, confidence: utterance.confidence)
      }
    }
    guard !words.isEmpty else { return utterance }
    var spellings = words.map { speller.pronunciations(of: $0.text) }
    var judged = words.indices.filter { !spellings[$0].isEmpty }
    let none = { words.map { _ in 0.0 } }
    guard let scores = try scorer.scores(of: audio.samples) else {
      return result(of: utterance, words, supports: none())
    }
    let evidence = SpokenEvidence(scores)
    guard !judged.isEmpty else {
      // Signs alone are no words.
      let isSpoken = evidence.hasSpeech && utterance.text.contains { $0.isLetter || $0.isNumber }
      return isSpoken ? utterance : result(of: utterance, words, supports: none())
    }
    guard WordAlignment.isPossible(words: judged.count, frames: scores.frameCount) else {
      return utterance
    }
    // Audio may be too short for the words.
    guard var spoken = evidence.words(judged.map { spellings[$0] }) else {
      return result(of: utterance, words, supports: none())
    }
    let replacements = TermSearch(evidence, spoken, terms).replacements()
    for one in replacements.reversed() {
      let range = judged[one.words.lowerBound]...judged[one.words.upperBound - 1]
      // A word without a known pronunciation in their midst is not part of the term.
      guard range.count == one.words.count else { continue }
      words.replaceSubrange(range, with: [words[range].joined(as: one.term.text)])
      spellings.replaceSubrange(range, with: [one.term.pronunciations])
    }
    if !replacements.isEmpty {
      judged = words.indices.filter { !spellings[$0].isEmpty }
      spoken = evidence.words(judged.map { spellings[$0] }) ?? []
    }
    guard !spoken.isEmpty else { return result(of: utterance, words, supports: none()) }
    let found = evidence.supports(of: spoken)
    // A word without a known pronunciation is as likely as the others.
    var supports = words.map { _ in found.reduce(0, +) / Double(found.count) }
    for (place, index) in judged.enumerated() {
      supports[index] = found[place]
      if !hasTimes { words[index].setTimes(spoken[place].frames) }
    }
    if !hasTimes { words.fillTimes(except: judged) }
    return result(of: utterance, words, supports: supports)
  }

  /// The utterance after the treatment of the words with these supports.
  private func result(
    of utterance: DecodedUtterance, _ words: [RecognizedWord], supports: [Double]
  ) -> DecodedUtterance? {
    var kept: [RecognizedWord] = []
    for (var word, support) in zip(words, supports) {
      if support < 0.5 {
        guard check.treatment == .mark else { continue }
        word.text = "[\(word.text)]"
        word.confidence = min(word.confidence, Float(support))
      }
      kept.append(word)
    }
    guard !kept.isEmpty else { return nil }
    var result = utterance
    result.words = kept
    // The text of a recogniser that gives times may be laid out differently from its words.
    if kept.map(\.text) != utterance.words.map(\.text) || utterance.words.isEmpty {
      result.text = kept.map(\.text).joined(separator: " ")
    }
    return result
  }
}

extension RecognizedWord {
  fileprivate mutating func setTimes(_ frames: Range<Int>) {
    (start, end) = (Double(frames.lowerBound) / 100, Double(frames.upperBound) / 100)
  }
}

extension [RecognizedWord] {
  /// Gives the words that are not aligned the time between those that are.
  fileprivate mutating func fillTimes(except aligned: [Int]) {
    let aligned = Set(aligned)
    var last = 0.0
    for index in indices {
      if !aligned.contains(index) { (self[index].start, self[index].end) = (last, last) }
      last = self[index].end
    }
  }
}

extension ArraySlice<RecognizedWord> {
  /// A word in place of these, with the sign that follows them.
  fileprivate func joined(as text: String) -> RecognizedWord {
    let sign = last?.text.reversed().prefix { !$0.isLetter && !$0.isNumber } ?? []
    return RecognizedWord(
      text: text + String(sign.reversed()), start: first?.start ?? 0, end: last?.end ?? 0,
      confidence: map(\.confidence).min() ?? 0)
  }
}

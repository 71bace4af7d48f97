import Foundation
import SpeechCore
import SpeechText

/// The pronunciations that PocketSphinx expects, without a decoder: for tools that explain and
/// correct them.
///
/// ```swift
/// let words = try PocketSphinxWords(
///   configuration: PocketSphinxConfiguration(), locale: Locale(identifier: "en_US"))
/// try words.explain("hello").pronunciations.map(\.text)   // ["HH AH L OW", "HH EH L OW"]
/// ```
package struct PocketSphinxWords: Sendable {
  /// The phones of spoken words.
  package let phones: Set<String>
  private let supply: WordSupply
  private let dictionary: DictionaryFile

  /// Loads the words of a decoder with that configuration.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the model or a dictionary is missing
  ///   or broken.
  package init(configuration: PocketSphinxConfiguration, locale: Locale) throws {
    let model = try PocketSphinxModel.find(for: locale, in: configuration.modelFolder)
    let definition = try ModelDefinition(model.acousticModel.appending(path: "mdef"))
    phones = definition.spokenPhones
    let url = configuration.dictionary ?? model.dictionary
    _ = try PronunciationDictionary(url, phones: Set(definition.phones))
    dictionary = try DictionaryFile(url)
    supply = try WordSupply(
      vocabulary: Vocabulary(phones: phones), configuration: configuration, locale: locale)
  }

  /// Returns the expected pronunciations of the word, and their origins.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the source of pronunciations fails.
  package func explain(_ word: String) throws -> WordExplanation {
    guard DictionaryWord.isValid(word) else {
      throw SpeechRecognitionError.recognitionFailed(
        "“\(word)” cannot be a word: it has to be without blanks and marks such as ( ) < > | / +.")
    }
    return try supply.explanation(of: word) { known($0, in: dictionary) }
  }

  private func known(_ word: String, in dictionary: DictionaryFile) -> [[String]] {
    dictionary.pronunciations(of: word) + (supply.extra[word] ?? [])
  }

  /// Returns the pronunciations of many words at once.
  ///
  /// - Returns: the phones of their pronunciations, the likeliest first, and the words for which
  ///   these were derived; words without a known pronunciation are left out.
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the source of pronunciations fails.
  func pronunciations(
    of words: some Sequence<String>
  ) throws(SpeechRecognitionError) -> (all: [String: [[String]]], derived: Set<String>) {
    let dictionary = dictionary.indexed()
    var all: [String: [[String]]] = [:]
    var derived: Set<String> = []
    for word in words where DictionaryWord.isValid(word) {
      let known = known(word, in: dictionary)
      if !known.isEmpty, !supply.isOwn(word) {
        all[word] = known
        continue
      }
      let explanation = try supply.explanation(of: word) { self.known($0, in: dictionary) }
      guard !explanation.pronunciations.isEmpty else { continue }
      all[word] = explanation.pronunciations.map(\.phones)
      if explanation.pronunciations.contains(where: {
        $0.origin == .derived || $0.origin == .spelling
      }) {
        derived.insert(word)
      }
    }
    return (all, derived)
  }

  /// The words of the dictionary with that many phones, in its order.
  package func words(phones count: ClosedRange<Int>) -> [(word: String, phones: [String])] {
    dictionary.words(phones: count)
  }
}

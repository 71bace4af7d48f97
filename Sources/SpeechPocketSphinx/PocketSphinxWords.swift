import Foundation
import SpeechCore

/// How the words of a language are said as PocketSphinx expects them, without a decoder: for tools that
/// explain and correct pronunciations.
///
/// ```swift
/// let words = try PocketSphinxWords(
///   configuration: PocketSphinxConfiguration(), locale: Locale(identifier: "en_US"))
/// try words.explain("hello").pronunciations.map(\.text)   // ["HH AH L OW", "HH EH L OW"]
/// ```
public struct PocketSphinxWords: Sendable {
  /// The phones that words can be spoken with.
  public let phones: Set<String>
  private let supply: WordSupply
  private let dictionary: DictionaryFile

  /// The words that a decoder with that configuration has.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the model or a dictionary is missing or
  ///   broken.
  public init(configuration: PocketSphinxConfiguration, locale: Locale) throws {
    let model = try PocketSphinxModel.find(for: locale, in: configuration.modelFolder)
    let definition = try ModelDefinition(model.acousticModel.appending(path: "mdef"))
    phones = definition.spokenPhones
    let url = configuration.dictionary ?? model.dictionary
    _ = try PronunciationDictionary(url, phones: Set(definition.phones))
    dictionary = try DictionaryFile(url)
    supply = try WordSupply(
      vocabulary: Vocabulary(phones: phones), configuration: configuration, locale: locale)
  }

  /// How the word is expected to be said, and why.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the source of pronunciations fails.
  public func explain(_ word: String) throws -> WordExplanation {
    guard Vocabulary.isPlain(word) else {
      throw SpeechRecognitionError.recognitionFailed(
        "“\(word)” cannot be a word: it has to be without blanks and marks such as ( ) < > | / +.")
    }
    return try supply.explanation(of: word) { word in
      dictionary.pronunciations(of: word) + (supply.extra[word] ?? [])
    }
  }

  /// The words of the dictionary that have so many phones, with them, in its order.
  package func words(phones count: ClosedRange<Int>) -> [(word: String, phones: [String])] {
    dictionary.words(phones: count)
  }
}

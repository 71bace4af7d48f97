import Foundation
import SpeechCore
import SpeechText

/// Supplies the pronunciations of words that a decoder's dictionary lacks, with their origins.
struct WordSupply {
  let vocabulary: Vocabulary
  /// The words of the configuration.
  let extra: [String: [[String]]]
  private let user: [String: [[String]]]
  private let pronouncer: WordPronouncer

  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the user's dictionary is broken, with
  ///   the line.
  init(
    vocabulary: Vocabulary, configuration: PocketSphinxConfiguration, locale: Locale
  ) throws(SpeechRecognitionError) {
    self.vocabulary = vocabulary
    extra = Vocabulary.pronunciations(configuration.extraWords)
    do {
      let all = try configuration.userDictionary?.pronunciations(for: locale)?.all() ?? [:]
      // A pronunciation in another model's phones does not apply to this one.
      user = all.mapValues { $0.filter(vocabulary.phones.isSuperset) }
        .filter { !$0.value.isEmpty && DictionaryWord.isValid($0.key) }
    } catch {
      throw .recognitionFailed(error.localizedDescription)
    }
    pronouncer = WordPronouncer(
      locale: locale, phones: vocabulary.phones, user: user,
      source: configuration.pronunciationSource)
  }

  /// All words of the configuration and the user, for any search.
  var own: [String: [[String]]] { extra.merging(user) { $1 + $0 } }

  /// True if the user has set the pronunciation of the word.
  func isOwn(_ word: String) -> Bool { !pronouncer.userPronunciations(of: word).isEmpty }

  /// Adds those of the words to the dictionary whose pronunciation is known.
  ///
  /// - Parameter dictionary: the pronunciations of any word in the dictionary, of which the library
  ///   may have a part only.
  /// - Returns: the derived pronunciations.
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the source fails.
  func supply(
    _ words: some Sequence<String>, to handle: borrowing PocketSphinxHandle,
    dictionary: (String) -> [[String]]
  ) throws(SpeechRecognitionError) -> [String: [[String]]] {
    var new: [String: [[String]]] = [:]
    var allMade: [String: [[String]]] = [:]
    var seen: Set<String> = []
    for word in words where seen.insert(word).inserted && DictionaryWord.isValid(word) {
      let spelling = [word, word.lowercased()].first { handle.phones(of: $0) != nil }
      let user = pronouncer.userPronunciations(of: word).map(\.phones)
      if !user.isEmpty {
        new[spelling ?? word] = user
      } else if spelling == nil {
        let made = try Self.lookUp(word) {
          try pronouncer.made(for: word, dictionary: dictionary)
        }
        if !made.isEmpty { allMade[word] = WordPronouncer.used(made).map(\.phones) }
      }
    }
    try vocabulary.add(new.merging(allMade) { $0 + $1 }, to: handle, isInUse: false)
    return allMade
  }

  /// The recognised pronunciations of a word, and their origins.
  ///
  /// - Parameter isSupplied: true if a recogniser was given the derived pronunciations of the word,
  ///   which are not to be mistaken for those of the dictionary.
  func explanation(
    of word: String, isSupplied: Bool = false, dictionary: (String) -> [[String]]
  ) throws(SpeechRecognitionError) -> WordExplanation {
    try Self.lookUp(word) {
      try pronouncer.explanation(of: word, isSupplied: isSupplied, dictionary: dictionary)
    }
  }

  private static func lookUp<Found>(
    _ word: String, _ body: () throws -> Found
  ) throws(SpeechRecognitionError) -> Found {
    do {
      return try body()
    } catch {
      throw .recognitionFailed(
        "The dictionary lacks the word “\(word)”, and its pronunciation could not be looked up: "
          + error.localizedDescription)
    }
  }

  static func nothingKnown(of word: String) -> SpeechRecognitionError {
    .recognitionFailed(
      "The pronunciation of “\(word)” is unknown. Give its phones, or a source of pronunciations.")
  }
}

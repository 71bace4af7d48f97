import Foundation
import SpeechCore
import SpeechText

/// Gives a decoder the words that its dictionary lacks, and knows why they are said as they are.
struct WordSupply {
  let vocabulary: Vocabulary
  /// Those of the configuration.
  let extra: [String: [[String]]]
  private let user: [String: [[String]]]
  private let pronouncer: WordPronouncer

  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the user's dictionary is broken, naming the
  ///   line.
  init(
    vocabulary: Vocabulary, configuration: PocketSphinxConfiguration, locale: Locale
  ) throws(SpeechRecognitionError) {
    self.vocabulary = vocabulary
    extra = Vocabulary.pronunciations(configuration.extraWords)
    do {
      let all = try configuration.userDictionary?.pronunciations(for: locale)?.all() ?? [:]
      // One that another model's phones are written in is none of this one's.
      user = all.mapValues { $0.filter(vocabulary.phones.isSuperset) }
        .filter { !$0.value.isEmpty && DictionaryWord.isValid($0.key) }
    } catch {
      throw .recognitionFailed(error.localizedDescription)
    }
    pronouncer = WordPronouncer(
      locale: locale, phones: vocabulary.phones, user: user,
      source: configuration.pronunciationSource)
  }

  /// All words that somebody set, to be heard whatever is listened for.
  var own: [String: [[String]]] { extra.merging(user) { $1 + $0 } }

  /// Whether the user set how the word is said.
  func isOwn(_ word: String) -> Bool { !pronouncer.userPronunciations(of: word).isEmpty }

  /// Sees to it that the dictionary has these words, as far as anything is known of them.
  ///
  /// - Returns: what was made up.
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the source fails.
  func supply(
    _ words: some Sequence<String>, to handle: borrowing PocketSphinxHandle
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
        let made = try made(word) { handle.pronunciations(of: $0) }
        if !made.isEmpty { allMade[word] = WordPronouncer.used(made).map(\.phones) }
      }
    }
    try vocabulary.add(new.merging(allMade) { $0 + $1 }, to: handle, isInUse: false)
    return allMade
  }

  /// What is listened for when that word is, and why.
  ///
  /// - Parameter isSupplied: whether a recogniser was given what is made up for the word, which is not to be
  ///   among what the dictionary has.
  func explanation(
    of word: String, isSupplied: Bool = false, dictionary: (String) -> [[String]]
  ) throws(SpeechRecognitionError) -> WordExplanation {
    do {
      return try pronouncer.explanation(
        of: word, isSupplied: isSupplied, dictionary: dictionary)
    } catch {
      throw Self.failed(word, error)
    }
  }

  private func made(
    _ word: String, dictionary: (String) -> [[String]]
  ) throws(SpeechRecognitionError) -> [Pronunciation] {
    do {
      return try pronouncer.made(for: word, dictionary: dictionary)
    } catch {
      throw Self.failed(word, error)
    }
  }

  private static func failed(_ word: String, _ error: any Error) -> SpeechRecognitionError {
    .recognitionFailed(
      "The dictionary lacks the word “\(word)”, and how it is said could not be found out: "
        + error.localizedDescription)
  }

  static func nothingKnown(of word: String) -> SpeechRecognitionError {
    .recognitionFailed(
      "Nothing is known of how “\(word)” is said. Give its phones, or a source of pronunciations.")
  }
}

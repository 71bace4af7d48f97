import SpeechCore
import SpeechText

/// The rules for the words of a decoder.
struct Vocabulary {
  /// The phones of spoken words.
  let phones: Set<String>

  /// Adds words with their phones. A known word gets another pronunciation, unless it has that one.
  ///
  /// - Parameter isInUse: true if the current search is to use them at once.
  func add(
    _ words: [String: [[String]]], to handle: borrowing PocketSphinxHandle, isInUse: Bool
  ) throws(SpeechRecognitionError) {
    var new: [(name: String, phones: String)] = []
    for (word, all) in words.sorted(by: { $0.key < $1.key }) {
      var known = handle.pronunciations(of: word)
      for phones in all {
        try check(word, phones)
        guard !known.contains(phones) else { continue }
        // The library numbers further pronunciations itself only when it reads a file.
        let name = known.isEmpty ? word : "\(word)(\(known.count + 1))"
        new.append((name, phones.joined(separator: " ")))
        known.append(phones)
      }
    }
    for (index, word) in new.enumerated() {
      try handle.add(
        word: word.name, phones: word.phones, isLast: isInUse && index == new.count - 1)
    }
  }

  /// Words and their phones separated by spaces, as in configurations.
  static func pronunciations(_ words: [String: String]) -> [String: [[String]]] {
    words.mapValues { [$0.split(whereSeparator: \.isWhitespace).map(String.init)] }
  }

  /// - Throws: `SpeechRecognitionError.recognitionFailed` for input that would crash the library.
  func check(_ word: String, _ fields: [String]) throws(SpeechRecognitionError) {
    guard DictionaryWord.isValid(word) else {
      throw .recognitionFailed(
        "“\(word)” cannot be a word: it has to be without blanks and marks such as ( ) < > | / +.")
    }
    guard !fields.isEmpty, fields.count <= 100 else {
      throw .recognitionFailed("The word “\(word)” needs phones, such as “HH AH L OW”.")
    }
    let unknown = fields.filter { !phones.contains($0) }
    guard unknown.isEmpty else {
      throw .recognitionFailed(
        "The word “\(word)” has phones that this model does not know: "
          + "\(unknown.joined(separator: ", ")). It knows "
          + "\(phones.sorted().joined(separator: " ")).")
    }
  }

  /// The spelling of each word in the dictionary, which contains most words in small letters only,
  /// and the words that it lacks, each once.
  static func spellings<Words: Sequence<String>>(
    of words: Words, in handle: borrowing PocketSphinxHandle
  ) -> (known: [String: String], unknown: [String]) {
    var known: [String: String] = [:]
    var unknown: [String] = []
    var seen: Set<String> = []
    for word in words where seen.insert(word).inserted {
      let found = [word, word.lowercased()].first {
        DictionaryWord.isValid($0) && handle.phones(of: $0) != nil
      }
      if let found { known[word] = found } else { unknown.append(word) }
    }
    return (known, unknown)
  }
}

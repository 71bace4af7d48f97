import SpeechCore

/// The words that a decoder knows: what may be added to them, and which of a text are missing.
struct Vocabulary {
  /// The phones that a word can be spoken with.
  let phones: Set<String>

  /// Characters that mean something to the library's formats, so that no word may hold them.
  private static let refused: Set<Character> = [
    "<", ">", "[", "]", "(", ")", "{", "}", "|", ";", "=", "*", "+", "/", "\"", "\\", "#", "\0",
  ]

  static func isPlain(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.count <= 256
      && !word.contains { refused.contains($0) || $0.isWhitespace }
  }

  /// Adds words with their phones; one that is there already gets another pronunciation.
  func add(
    _ words: [String: String], to handle: borrowing PocketSphinxHandle
  ) throws(SpeechRecognitionError) {
    let sorted = words.sorted { $0.key < $1.key }
    for (word, spoken) in sorted { try check(word, spoken) }
    for (index, (word, spoken)) in sorted.enumerated() {
      let plain = spoken.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let isLast = index == sorted.count - 1
      guard handle.phones(of: word) != nil else {
        try handle.add(word: word, phones: plain, isLast: isLast)
        continue
      }
      // The library numbers further pronunciations itself only when it reads a file.
      var number = 2
      while handle.phones(of: "\(word)(\(number))") != nil { number += 1 }
      try handle.add(word: "\(word)(\(number))", phones: plain, isLast: isLast)
    }
  }

  private func check(_ word: String, _ spoken: String) throws(SpeechRecognitionError) {
    guard Self.isPlain(word) else {
      throw .recognitionFailed(
        "“\(word)” cannot be a word: it has to be without blanks and marks such as ( ) < > | / +.")
    }
    let fields = spoken.split(whereSeparator: \.isWhitespace).map(String.init)
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

  /// How the dictionary writes each of the words (it knows most in small letters only), and those that
  /// it lacks, each once.
  static func spellings<Words: Sequence<String>>(
    of words: Words, in handle: borrowing PocketSphinxHandle
  ) -> (known: [String: String], unknown: [String]) {
    var known: [String: String] = [:]
    var unknown: [String] = []
    var seen: Set<String> = []
    for word in words where seen.insert(word).inserted {
      let found = [word, word.lowercased()].first { isPlain($0) && handle.phones(of: $0) != nil }
      if let found { known[word] = found } else { unknown.append(word) }
    }
    return (known, unknown)
  }
}

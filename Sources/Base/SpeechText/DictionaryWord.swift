/// The words that pronunciation dictionaries and language models can hold.
package enum DictionaryWord {
  /// The longest word, in bytes of UTF-8.
  package static let maximumBytes = 256

  /// Characters with a meaning in the formats, which no word may hold, not even with a combining
  /// mark.
  private static let reserved = Set("()<>[]{}|;=*+/\"\\#".unicodeScalars)

  /// True if the word can be written to a dictionary: it is short enough and has no blanks, control
  /// characters, or marks with a meaning in the format.
  package static func isValid(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.count <= maximumBytes
      && !word.unicodeScalars.contains {
        reserved.contains($0) || $0.properties.isWhitespace
          || $0.properties.generalCategory == .control
      }
  }
}

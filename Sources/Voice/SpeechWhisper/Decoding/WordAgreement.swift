import SpeechCore

/// The words of an utterance in progress, of which those that two drafts in a row agree on do not
/// change any more.
struct WordAgreement {
  /// The words on which two drafts agree.
  private(set) var stable: [String] = []
  private var last: [String] = []

  /// The stable words, and the others of the last draft.
  var text: String { (stable + last.dropFirst(stable.count)).joined(separator: " ") }

  /// Adds a draft of more audio. One that is empty or does not begin with the stable words is
  /// ignored.
  mutating func add(_ reading: WhisperReading) {
    let words = reading.words.map(\.text)
    guard words.count >= stable.count, !words.isEmpty,
      zip(stable, words).allSatisfy({ Self.isEqual($0, $1) })
    else { return }
    // The last word of a draft may be cut off.
    let agreed = zip(last, words.dropLast()).prefix { Self.isEqual($0, $1) }.count
    if agreed > stable.count { stable += words[stable.count..<agreed] }
    last = words
  }

  private static func isEqual(_ one: String, _ other: String) -> Bool {
    WhisperReading.plain(one) == WhisperReading.plain(other)
  }
}

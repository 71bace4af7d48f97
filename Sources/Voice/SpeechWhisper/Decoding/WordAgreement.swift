import SpeechCore

/// The words of an utterance in progress, of which those that two drafts in a row agree on do not
/// change any more.
struct WordAgreement {
  /// The words on which two drafts agree.
  private var stable: [RecognizedWord] = []
  private var last: [RecognizedWord] = []

  /// The stable words, and the others of the last draft.
  var text: String { (stable + last.dropFirst(stable.count)).map(\.text).joined(separator: " ") }
  var stableText: String { stable.map(\.text).joined(separator: " ") }

  /// Adds a draft of more audio. One that is empty or does not begin with the stable words is
  /// ignored.
  mutating func add(_ reading: WhisperReading) {
    let words = reading.words
    guard words.count >= stable.count, !words.isEmpty,
      zip(stable, words).allSatisfy({ Self.isEqual($0, $1) })
    else { return }
    // The last word of a draft may be cut off.
    let agreed = zip(last, words.dropLast()).prefix { Self.isEqual($0, $1) }.count
    if agreed > stable.count { stable += words[stable.count..<agreed] }
    last = words
  }

  /// The reading of the complete utterance, beginning with the stable words.
  ///
  /// Where it differs from them, it goes on after the words that resemble them most.
  func completed(by final: WhisperReading) -> WhisperReading {
    guard !stable.isEmpty else { return final }
    var complete = final
    let resembling = lengthOfBeginning(of: final.words)
    var words = stable
    if resembling == stable.count {
      // The last reading knows the times best.
      for index in words.indices {
        words[index].start = final.words[index].start
        words[index].end = final.words[index].end
      }
    }
    complete.words = words + final.words.dropFirst(resembling)
    return complete
  }

  /// The number of words at the beginning that the stable words are the least changes away from.
  private func lengthOfBeginning(of words: [RecognizedWord]) -> Int {
    var costs = Array(0...words.count)
    for (row, word) in stable.enumerated() {
      var diagonal = costs[0]
      costs[0] = row + 1
      for column in words.indices {
        let substituted = diagonal + (Self.isEqual(word, words[column]) ? 0 : 1)
        diagonal = costs[column + 1]
        costs[column + 1] = min(substituted, diagonal + 1, costs[column] + 1)
      }
    }
    let least = costs.min() ?? 0
    let candidates = costs.indices.filter { costs[$0] == least }
    return candidates.min { abs($0 - stable.count) < abs($1 - stable.count) } ?? 0
  }

  private static func isEqual(_ one: RecognizedWord, _ other: RecognizedWord) -> Bool {
    WhisperReading.plain(one.text) == WhisperReading.plain(other.text)
  }
}

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

  /// Adds a draft of more audio, which continues after the words that resemble the stable ones. One
  /// that is empty, or resembles them in less than half of the words, is ignored.
  mutating func add(_ reading: WhisperReading) {
    guard reading.words.count >= stable.count, !reading.isEmpty else { return }
    let (resembling, changes) = beginning(of: reading.words)
    guard 2 * changes <= stable.count else { return }
    let words = stable + reading.words.dropFirst(resembling)
    // The last word of a draft may be cut off.
    let agreed = zip(last, words.dropLast()).prefix { Self.isEqual($0, $1) }.count
    if agreed > stable.count { stable += words[stable.count..<agreed] }
    last = words
  }

  /// The last pause between two stable words that begins after that many seconds: the number of
  /// words before it, and the time in which it lies.
  func pause(after seconds: Double) -> (words: Int, time: ClosedRange<Double>)? {
    for index in stable.indices.dropLast().reversed() where stable[index].end >= seconds {
      let (end, start) = (stable[index].end, stable[index + 1].start)
      if start - end >= Self.shortestPause { return (index + 1, end...start) }
    }
    return nil
  }

  /// The starts of words are guessed from their ends generously, so any gap is a pause.
  private static let shortestPause = 0.1

  /// Forgets words at the beginning, and takes all times from that second on.
  ///
  /// - Returns: the words, which are stable.
  mutating func drop(_ count: Int, before seconds: Double) -> [RecognizedWord] {
    let dropped = Array(stable.prefix(count))
    stable = stable.dropFirst(count).map { $0.shifted(by: -seconds) }
    last = last.dropFirst(count).map { $0.shifted(by: -seconds) }
    return dropped
  }

  /// The reading of the complete utterance, beginning with the stable words.
  ///
  /// Where it differs from them, it continues after the words that resemble them most.
  func completed(by final: WhisperReading) -> WhisperReading {
    guard !stable.isEmpty else { return final }
    // The last reading knows no probability if it found nothing.
    guard !final.isEmpty else { return WhisperReading(stable) }
    var complete = final
    let resembling = beginning(of: final.words).length
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

  /// The number of words at the beginning that the stable words are the least changes away from,
  /// and the number of these changes.
  private func beginning(of words: [RecognizedWord]) -> (length: Int, changes: Int) {
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
    let length = candidates.min { abs($0 - stable.count) < abs($1 - stable.count) } ?? 0
    return (length, least)
  }

  private static func isEqual(_ one: RecognizedWord, _ other: RecognizedWord) -> Bool {
    WhisperReading.plain(one.text) == WhisperReading.plain(other.text)
  }
}

import Foundation
import SpeechCore

/// The text of a piece of audio, made of tokens.
struct WhisperReading: Sendable, Equatable {
  var words: [RecognizedWord] = []
  /// The mean log probability of the tokens.
  private(set) var logProbability: Float = 0
  /// The language, as a code such as “en”; `nil` if the model has only one.
  var language: String?
  /// False if the words are none of the sentences that the decoder listens for.
  private(set) var isAccepted = true

  /// True without words.
  var isEmpty: Bool { words.isEmpty }
  var text: String { words.map(\.text).joined(separator: " ") }
  var confidence: Float { min(1, max(0, exp(logProbability))) }

  init() {}

  /// A reading of these words, as probable as they are together.
  init(_ words: [RecognizedWord]) {
    self.words = words
    let sum = words.reduce(0) { $0 + log(max($1.confidence, 0.001)) }
    logProbability = words.isEmpty ? 0 : sum / Float(words.count)
  }

  /// Joins tokens to words, without remarks such as “(music)”.
  init(_ tokens: [WhisperToken], duration: Double) {
    guard !tokens.isEmpty else { return }
    logProbability = tokens.reduce(0) { $0 + $1.logProbability } / Float(tokens.count)
    var pieces: [(bytes: [UInt8], tokens: [WhisperToken])] = []
    for token in tokens {
      if token.bytes.first == UInt8(ascii: " ") || pieces.isEmpty {
        pieces.append((token.bytes, [token]))
      } else {
        pieces[pieces.count - 1].bytes += token.bytes
        pieces[pieces.count - 1].tokens.append(token)
      }
    }
    var last = 0.0
    for piece in pieces {
      let text = String(decoding: piece.bytes, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty else { continue }
      // The sign after a word lies in the pause after it.
      let letters = piece.tokens.filter(\.hasLetters)
      let end = min(duration, max(last, letters.compactMap(\.end).last ?? last))
      // A word after a pause begins later than the one before it ends.
      let start = max(last, end - Self.longest(text))
      let sure = letters.isEmpty ? piece.tokens : letters
      let confidence = sure.reduce(0) { $0 + $1.probability } / Float(sure.count)
      words.append(RecognizedWord(text: text, start: start, end: end, confidence: confidence))
      last = end
    }
    removeRemarks()
  }

  /// The maximum duration of a word in seconds, spoken slowly.
  private static func longest(_ text: String) -> Double { 0.25 + 0.12 * Double(text.count) }

  /// Removes what the model writes about audio without speech: text in brackets, parentheses,
  /// asterisks and notes.
  private mutating func removeRemarks() {
    var kept: [RecognizedWord] = []
    var closing: Character?
    for word in words {
      if let sign = closing {
        if word.text.contains(sign) { closing = nil }
        continue
      }
      guard let first = word.text.first, let end = Self.remarks[first] else {
        kept.append(word)
        continue
      }
      if !word.text.dropFirst().contains(end) { closing = end }
    }
    // A remark that does not end was none.
    if closing == nil { words = kept }
    words.removeAll { word in !word.text.contains { $0.isLetter || $0.isNumber } }
  }

  private static let remarks: [Character: Character] = [
    "(": ")", "[": "]", "*": "*", "♪": "♪", "♫": "♫", "【": "】", "（": "）",
  ]

  /// The same words in lower case and without signs.
  func plain() -> WhisperReading {
    var plain = self
    for index in words.indices { plain.words[index].text = Self.plain(words[index].text) }
    plain.words.removeAll(where: \.text.isEmpty)
    return plain
  }

  /// The same words as the grammar spells them, accepted if they are one of its sentences and that
  /// probable.
  func sentence(of grammar: WhisperGrammar, atLeast minimum: Float) -> WhisperReading {
    var reading = plain()
    if let words = grammar.sentence(of: reading.words.map(\.text)) {
      for index in words.indices { reading.words[index].text = words[index] }
      reading.isAccepted = confidence >= minimum
    } else {
      reading.isAccepted = false
    }
    return reading
  }

  static func plain(_ word: String) -> String {
    let text = word.lowercased()
    let inner = text.drop { !$0.isLetter && !$0.isNumber }
    return String(inner.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
  }
}

extension WhisperReading {
  /// True if a sequence of at least three words is said twice in a row, which decodings of short
  /// audio do by mistake.
  var repeatsItself: Bool { repetition(times: 2) != nil }

  /// Removes all but the first of at least three equal sequences of words in a row, if the others
  /// are spoken faster than is possible. What is really repeated has times of its own.
  mutating func breakLoops() {
    while let (start, length, count) = repetition(times: 3, isPlausible: false) {
      words.removeSubrange(start + length..<start + length * count)
    }
  }

  /// The minimum duration of a word in seconds, as a mean of several.
  private static let shortestWord = 0.1

  /// The first sequence of at least three words that is there that many times in a row.
  ///
  /// - Parameter isPlausible: false to require that all but the first are too fast.
  private func repetition(
    times: Int, isPlausible: Bool = true
  ) -> (start: Int, length: Int, count: Int)? {
    let plain = words.map { Self.plain($0.text) }
    guard plain.count >= 3 * times else { return nil }
    for length in 3...(plain.count / times) {
      for start in 0...(plain.count - length * times) {
        let pattern = plain[start..<start + length]
        var count = 1
        while start + (count + 1) * length <= plain.count,
          plain[start + count * length..<start + (count + 1) * length].elementsEqual(pattern)
        {
          count += 1
        }
        guard count >= times else { continue }
        let others = words[start + length..<start + length * count]
        if isPlausible || Self.isTooFast(others) { return (start, length, count) }
      }
    }
    return nil
  }

  private static func isTooFast(_ words: ArraySlice<RecognizedWord>) -> Bool {
    guard let first = words.first, let last = words.last else { return false }
    return last.end - first.start < shortestWord * Double(words.count)
  }

  /// Appends the words of the audio that follows.
  mutating func append(_ next: WhisperReading, at time: Double) {
    let counts = (Float(words.count), Float(next.words.count))
    if counts.0 + counts.1 > 0 {
      logProbability =
        (logProbability * counts.0 + next.logProbability * counts.1) / (counts.0 + counts.1)
    }
    words += next.words.map { $0.shifted(by: time) }
    language = language ?? next.language
    isAccepted = isAccepted && next.isAccepted
  }
}

extension WhisperToken {
  /// True if the token is more than a sign or a blank. Bytes above 127 are parts of letters.
  var hasLetters: Bool {
    bytes.contains { byte in
      byte > 127 || (48...57).contains(byte) || (65...90).contains(byte)
        || (97...122).contains(byte)
    }
  }
}

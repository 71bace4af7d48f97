import Foundation
import SpeechCore
import SpeechFiles

/// Key phrases that have been checked, each with all its readings.
struct KeyPhraseList {
  /// A pronunciation of a phrase.
  struct Reading {
    var phrase: KeyPhrase
    /// The phrase as the dictionary writes it.
    var text: String
    /// All its phones, separated by spaces.
    var phones: String
  }

  /// The library's file: a reading and its threshold in each line.
  let text: String
  /// The readings by the words that the library reports.
  let readings: [String: Reading]

  /// The library finds the end of a phrase repeatedly, each time a little better. A better one may
  /// come within this time.
  static let settlingFrames = 10

  /// The library uses one pronunciation of each word; others are phrases of their own, up to this
  /// number.
  private static let mostReadings = 8

  init(
    _ phrases: [KeyPhrase], knownTo handle: borrowing PocketSphinxHandle
  ) throws(SpeechRecognitionError) {
    guard !phrases.isEmpty, phrases.count <= 1000 else {
      throw .recognitionFailed(
        "\(phrases.count) key phrases were given. Give at least one and at most 1000.")
    }
    var lines: [String: String] = [:]
    var readings: [String: Reading] = [:]
    for phrase in phrases {
      let words = phrase.text.split(whereSeparator: \.isWhitespace).map(String.init)
      guard !words.isEmpty, words.count <= 50 else {
        throw .recognitionFailed(
          "The key phrase “\(phrase.text)” has \(words.count) words. Give one to 50.")
      }
      let spellings = Vocabulary.spellings(of: words, in: handle)
      guard spellings.unknown.isEmpty else {
        throw .recognitionFailed(
          "The key phrase “\(phrase.text)” has words that the dictionary lacks: "
            + spellings.unknown.map { "“\($0)”" }.joined(separator: ", ")
            + ". Add their pronunciation as extra words, or choose other words.")
      }
      try phrase.check()
      let known = words.map { spellings.known[$0, default: $0] }
      let plain = known.joined(separator: " ")
      for spoken in Self.ways(of: Self.saying(known, handle)) {
        let phones = spoken.flatMap(\.phones)
        let name = spoken.map(\.name).joined(separator: " ")
        readings[name] = Reading(
          phrase: phrase, text: plain, phones: phones.joined(separator: " "))
        let threshold = phrase.threshold ?? Self.threshold(forPhones: phones.count)
        lines[name] = "\(name) /\(threshold)/\n"
      }
    }
    text = lines.sorted { $0.key < $1.key }.map(\.value).joined()
    self.readings = readings
  }

  private typealias Saying = (name: String, phones: [String])

  /// The pronunciations of each word, with their names in the dictionary.
  private static func saying(
    _ words: [String], _ handle: borrowing PocketSphinxHandle
  ) -> [[Saying]] {
    words.map { word in
      handle.pronunciations(of: word).enumerated().map { index, phones in
        (index == 0 ? word : "\(word)(\(index + 1))", phones)
      }
    }
  }

  private static func ways(of words: [[Saying]]) -> [[Saying]] {
    words.reduce([[]]) { ways, word in
      // The first pronunciations of all words come first.
      Array(word.flatMap { saying in ways.map { $0 + [saying] } }.prefix(mostReadings))
    }
  }

  /// The threshold of the library for a phrase of that many phones; `KeyPhraseCheck` removes false
  /// alarms.
  static func threshold(forPhones phones: Int) -> Double {
    pow(10, -Double(min(max(5 * phones, 10), 45)))
  }

  /// The list in a file for the library.
  func write() throws(TemporaryFileError) -> TemporaryFile {
    let file = try TemporaryFile("kws")
    try file.write(Data(text.utf8))
    return file
  }
}

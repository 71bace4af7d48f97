import Foundation
import SpeechCore

/// Key phrases that were checked, and what counts as having heard one.
struct KeyPhraseList {
  /// The library's file: a phrase and its threshold in each line.
  let text: String
  /// How many phones each phrase has.
  private let phones: [String: Int]

  /// The library finds the end of a phrase again and again, each time a little better: so long a better
  /// one may come while somebody goes on speaking.
  static let settlingFrames = 10

  init(
    _ phrases: [KeyPhrase], knownTo handle: borrowing PocketSphinxHandle
  ) throws(SpeechRecognitionError) {
    guard !phrases.isEmpty, phrases.count <= 1000 else {
      throw .recognitionFailed(
        "\(phrases.count) key phrases were given. Give at least one and at most 1000.")
    }
    var lines: [String: String] = [:]
    var phones: [String: Int] = [:]
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
      if let threshold = phrase.threshold {
        guard (1e-200...1e50).contains(threshold) else {
          throw .recognitionFailed(
            "The threshold \(threshold) of the key phrase “\(phrase.text)” is none. Give a number "
              + "from 1e-200 (heard at a hint) to 1e50 (hardly ever heard by mistake).")
        }
      }
      let known = words.map { spellings.known[$0, default: $0] }
      let plain = known.joined(separator: " ")
      let count = known.reduce(0) { $0 + Self.phoneCount(of: $1, in: handle) }
      phones[plain] = count
      lines[plain] = "\(plain) /\(phrase.threshold ?? Self.threshold(forPhones: count))/\n"
    }
    text = lines.sorted { $0.key < $1.key }.map(\.value).joined()
    self.phones = phones
  }

  private static func phoneCount(
    of word: String, in handle: borrowing PocketSphinxHandle
  ) -> Int {
    handle.phones(of: word)?.split(separator: " ").count ?? 0
  }

  /// How much likelier than any other sounds a phrase of that many phones has to be.
  ///
  /// The more phones, the less there is that sounds alike by chance. Measured with 450 words in 35 read
  /// recordings, and three phrases said alone by 48 speakers: so a word that a reader says is heard in 93
  /// of 100 cases, and one that is not said about four times in an hour of reading; of five phones as of
  /// nine.
  static func threshold(forPhones phones: Int) -> Double {
    pow(10, max(35.5 - 6.67 * Double(phones), -44.5))
  }

  /// How sure it is that the phrase was said: as much as it is likelier than it would have to be.
  func confidence(of segment: PathSegment) -> Double {
    // The library counts in 1024ths and takes 1500 of them off, so that it comes out below one.
    let found = 1024 * (log10(max(segment.posterior, .leastNormalMagnitude)) + 1500 * log10(1.0001))
    let needed = log10(Self.threshold(forPhones: phones[segment.word] ?? 0))
    return Confidence.keyPhrase(evidence: found - needed)
  }

  /// Writes the list into a file for the library and returns its path; the caller removes it.
  func write() throws(SpeechRecognitionError) -> String {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "speechkit-\(UUID().uuidString).kws")
    do {
      try Data(text.utf8).write(to: url)
    } catch {
      throw .recognitionFailed(
        "The key phrases could not be written to “\(url.path)”: \(error.localizedDescription)")
    }
    return url.path
  }
}

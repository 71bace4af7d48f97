import Foundation
import SpeechCore

/// Key phrases that were checked, and what counts as having heard one.
struct KeyPhraseList {
  /// The library's file: a phrase and its threshold in each line.
  let text: String
  /// The phrases whose threshold is ours to choose; they are also judged by `isCredible`.
  private let guarded: Set<String>

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
    var guarded: Set<String> = []
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
        guard threshold > 0, threshold <= 1, threshold >= 1e-200 else {
          throw .recognitionFailed(
            "The threshold \(threshold) of the key phrase “\(phrase.text)” is none. Give a number "
              + "from 1e-200 (heard at a hint) to 1 (hardly ever heard by mistake).")
        }
      }
      let known = words.map { spellings.known[$0, default: $0] }
      let plain = known.joined(separator: " ")
      let phones = known.reduce(0) { $0 + Self.phoneCount(of: $1, in: handle) }
      lines[plain] = "\(plain) /\(phrase.threshold ?? Self.threshold(forPhones: phones))/\n"
      if phrase.threshold == nil { guarded.insert(plain) }
    }
    text = lines.sorted { $0.key < $1.key }.map(\.value).joined()
    self.guarded = guarded
  }

  private static func phoneCount(
    of word: String, in handle: borrowing PocketSphinxHandle
  ) -> Int {
    handle.phones(of: word)?.split(separator: " ").count ?? 0
  }

  /// How ready the library is to report a phrase of that many phones; what is wrong among its reports
  /// is sorted out by `isCredible`.
  static func threshold(forPhones phones: Int) -> Double {
    pow(10, -Double(min(max(5 * phones - 10, 5), 45)))
  }

  /// Whether the phrase was really said. Measured with three words by many speakers against five
  /// minutes of other speech: of the library's reports, those that are right have a likelihood above
  /// 0.84 and sound that fits; those that are wrong hardly ever have both.
  func isCredible(_ segment: PathSegment, text: String) -> Bool {
    guard guarded.contains(text) else { return true }
    return segment.posterior >= 0.84 && segment.acousticCost <= 75
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

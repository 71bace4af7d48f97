import SpeechTesting

/// The errors of pronunciations, each compared with the nearest one in a dictionary.
struct PhoneErrors {
  private(set) var words = 0
  private(set) var rightWords = 0
  private var phones = 0
  private var errors = 0

  /// Wrong, missing and additional phones as a percentage of the phones in the dictionary.
  var rate: Double { phones == 0 ? 0 : 100 * Double(errors) / Double(phones) }

  /// The percentage of words with an error.
  var wrongWords: Double { words == 0 ? 0 : 100 * Double(words - rightWords) / Double(words) }

  /// Adds a word.
  ///
  /// - Parameter made: The pronunciations, of which the best counts; without any, every phone is an
  ///   error.
  mutating func add(made: [[String]], reference: [[String]]) {
    let all = (made.isEmpty ? [[]] : made).flatMap { one in
      reference.map { (Alignment.distance($0, one), $0.count) }
    }
    // As in other work on letters and phones: of equal distances, the longest reference.
    guard let best = all.min(by: { ($0.0, -$0.1) < ($1.0, -$1.1) }) else { return }
    words += 1
    rightWords += best.0 == 0 ? 1 : 0
    errors += best.0
    phones += best.1
  }
}

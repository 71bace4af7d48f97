import SpeechTesting

/// How far pronunciations are from those of a dictionary, each compared with the nearest that it has.
struct PhoneErrors {
  private(set) var words = 0
  private(set) var rightWords = 0
  private var phones = 0
  private var errors = 0

  /// Wrong, missing and surplus phones by phones of the dictionary, in percent.
  var rate: Double { phones == 0 ? 0 : 100 * Double(errors) / Double(phones) }

  /// Words with any error, in percent.
  var wrongWords: Double { words == 0 ? 0 : 100 * Double(words - rightWords) / Double(words) }

  /// - Parameter made: pronunciations of which the best counts; none is an error in every phone.
  mutating func add(made: [[String]], reference: [[String]]) {
    let all = (made.isEmpty ? [[]] : made).flatMap { one in
      reference.map { (Alignment.distance($0, one), $0.count) }
    }
    // The same as in other work on letters and sounds: of equal distances, the longest reference.
    guard let best = all.min(by: { ($0.0, -$0.1) < ($1.0, -$1.1) }) else { return }
    words += 1
    rightWords += best.0 == 0 ? 1 : 0
    errors += best.0
    phones += best.1
  }
}

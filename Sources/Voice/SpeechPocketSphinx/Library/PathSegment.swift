/// A stretch of the best path.
struct PathSegment {
  var word: String
  /// The first and the last frame, of a hundredth of a second each.
  var firstFrame: Int
  var lastFrame: Int
  /// The acoustic score in the library's logarithm; 0 is a perfect fit.
  var acousticScore: Int
  /// The share of all paths through the lattice that contain this word here.
  var posterior: Double

  /// The duration of a frame in seconds.
  static let frameDuration = 0.01

  /// The acoustic cost per frame; 0 is a perfect fit.
  var acousticCost: Double { -Double(acousticScore) / Double(frameCount) }

  var frameCount: Int { max(lastFrame - firstFrame + 1, 1) }

  /// The word in normal spelling; `nil` for silence and noises.
  var plainWord: String? { Self.plainWord(word) }

  /// The library's word in normal spelling; `nil` for silence and noises.
  static func plainWord(_ word: String) -> String? {
    guard let first = word.first, !"<[+(".contains(first) else { return nil }
    guard word.hasSuffix(")"), let open = word.lastIndex(of: "("), open > word.startIndex else {
      return word
    }
    // The number of the pronunciation.
    let number = word[word.index(after: open)...].dropLast()
    return number.allSatisfy(\.isNumber) ? String(word[..<open]) : word
  }

  /// The library's text in normal spelling, without noises.
  static func plainText(_ text: String) -> String {
    text.split(separator: " ").compactMap { plainWord(String($0)) }.joined(separator: " ")
  }
}

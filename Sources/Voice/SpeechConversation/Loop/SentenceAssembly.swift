import SpeechCore
import SpeechText

/// Puts sentences together from text that comes in pieces.
struct SentenceAssembly {
  struct Sentence: Equatable {
    var text: String
    var isInterruptible: Bool
  }

  private var scalars: [Unicode.Scalar] = []
  private var isInterruptible = true
  /// Up to where there is no end of a sentence.
  private var searched = 0

  /// A sentence that does not end is said in parts of this length.
  private static let longest = 400

  var isEmpty: Bool { scalars.isEmpty }

  /// Takes the next piece and gives the sentences that are complete with it.
  mutating func add(_ text: String, isInterruptible: Bool) -> [Sentence] {
    var sentences = isInterruptible == self.isInterruptible ? [] : finish()
    self.isInterruptible = isInterruptible
    scalars += Array(text.unicodeScalars)
    while let sentence = next() { sentences.append(sentence) }
    return sentences
  }

  /// Gives what is left.
  mutating func finish() -> [Sentence] {
    defer {
      scalars = []
      searched = 0
    }
    return scalars.isEmpty ? [] : [sentence(scalars)]
  }

  private mutating func next() -> Sentence? {
    while searched < scalars.count {
      if let end = SentenceCutter.endOfSentence(scalars, at: searched) { return take(end) }
      // What follows decides, and has not come yet.
      if isUndecided(searched) { break }
      searched += 1
    }
    guard scalars.count > Self.longest else { return nil }
    return take(SentenceCutter.cut(scalars, limit: Self.longest).index)
  }

  /// Whether there is nothing but blanks behind that place.
  private func isUndecided(_ index: Int) -> Bool {
    scalars[(index + 1)...].allSatisfy { $0.properties.isWhitespace }
  }

  private mutating func take(_ end: Int) -> Sentence {
    defer {
      scalars.removeFirst(end)
      searched = 0
    }
    return sentence(scalars[..<end])
  }

  private func sentence(_ scalars: some Sequence<Unicode.Scalar>) -> Sentence {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return Sentence(text: String(text), isInterruptible: isInterruptible)
  }
}

import SpeechCore
import SpeechText

/// Assembles sentences from text that arrives in pieces.
struct SentenceAssembly {
  struct Sentence: Equatable {
    var text: String
    var isInterruptible: Bool
  }

  private var scalars: [Unicode.Scalar] = []
  private var isInterruptible = true
  /// The index up to which no sentence ends.
  private var searched = 0

  /// The length of the parts in which an endless sentence is spoken.
  private static let longest = 400

  var isEmpty: Bool { scalars.isEmpty }
  /// True if the remaining text probably ends with a sentence.
  var isAtEndOfSentence: Bool { SentenceCutter.isAtEndOfSentence(scalars) }

  /// Adds a piece of text and returns the sentences that it completes.
  mutating func add(_ text: String, isInterruptible: Bool) -> [Sentence] {
    var sentences = isInterruptible == self.isInterruptible ? [] : finish()
    self.isInterruptible = isInterruptible
    scalars += Array(text.unicodeScalars)
    while let sentence = next() { sentences.append(sentence) }
    return sentences
  }

  /// Returns the remaining text.
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
      // The next character decides, and has not arrived.
      if isUndecided(searched) { break }
      searched += 1
    }
    guard scalars.count > Self.longest else { return nil }
    return take(SentenceCutter.cut(scalars, limit: Self.longest).index)
  }

  /// Returns true if only blanks follow the index.
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

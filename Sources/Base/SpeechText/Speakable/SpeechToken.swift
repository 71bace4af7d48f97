/// A token of a text that is to be cut into pieces.
package enum SpeechToken: Sendable, Equatable {
  /// A character, with its range in the original text.
  case scalar(Unicode.Scalar, origin: Range<Int>)
  /// A marker that keeps its place between two characters, with the caller's number.
  case anchor(Int)
  /// A forced end of a piece, with the caller's number.
  case boundary(Int)
  /// A change of the writing system for the following text.
  case writing(WritingSystem)
}

/// Reads plain text as tokens, one scalar at a time.
package struct PlainTextTokens: IteratorProtocol, Sendable {
  private var scalars: String.UnicodeScalarView.Iterator
  private var offset = 0

  /// Creates the tokens of a text.
  package init(_ text: String) {
    scalars = text.unicodeScalars.makeIterator()
  }

  package mutating func next() -> SpeechToken? {
    guard let scalar = scalars.next() else { return nil }
    defer { offset += 1 }
    return .scalar(scalar, origin: offset..<offset + 1)
  }
}

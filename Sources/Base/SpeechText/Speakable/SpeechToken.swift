/// What a text is read as before it is cut into pieces.
package enum SpeechToken: Sendable, Equatable {
  /// A character and its place in the text as passed.
  case scalar(Unicode.Scalar, origin: Range<Int>)
  /// Something between two characters that stays where it is; the number is the sender's.
  case anchor(Int)
  /// The end of a piece, whatever the text says; the number is the sender's.
  case boundary(Int)
  /// What follows is for a voice of that writing system.
  case writing(WritingSystem)
}

/// Reads plain text as tokens, one scalar at a time.
package struct PlainTextTokens: IteratorProtocol, Sendable {
  private var scalars: String.UnicodeScalarView.Iterator
  private var offset = 0

  /// The tokens of that text.
  package init(_ text: String) {
    scalars = text.unicodeScalars.makeIterator()
  }

  package mutating func next() -> SpeechToken? {
    guard let scalar = scalars.next() else { return nil }
    defer { offset += 1 }
    return .scalar(scalar, origin: offset..<offset + 1)
  }
}

/// A part of a text that is synthesised at once.
package struct SpeechPiece: Sendable, Equatable {
  /// The kind of place where a piece ends.
  package enum Ending: Sendable, Equatable {
    /// After a sentence or clause, with its pause.
    case clause
    /// Between two words of a clause that is too long.
    case word
    /// At a boundary, or at the end of the text.
    case boundary
  }

  /// The text to speak; empty if the piece is only a boundary.
  package var text: SpeakableText
  /// The writing system of the text.
  package var writing: WritingSystem
  /// The place where the piece ends.
  package var ending: Ending
  /// True if the piece starts in the middle of a sentence.
  package var continuesSentence: Bool
  /// The number of the boundary after the piece.
  package var boundary: Int?
}

/// Cuts text into pieces of bounded length, and reads no further than necessary.
///
/// A piece ends where a sentence certainly ends; in sentences that are too long, after a comma or
/// the like; in clauses that are too long, between words. This keeps the intonation that the whole
/// text would have.
package struct SpeechPieces<Tokens: IteratorProtocol<SpeechToken>>: IteratorProtocol {
  private var tokens: Tokens
  private var filter: SpeakableTextFilter
  private var buffer = SpeakableText()
  private var writing: WritingSystem
  private var limit: Int
  private let laterLimit: Int
  private var isInSentence = false
  private var state = State.reading

  private enum State {
    case reading
    case atBoundary(Int)
    case atWriting(WritingSystem)
    case ended
    case finished
  }

  /// Creates the pieces of the tokens. The first one is short, so that speech starts soon.
  package init(
    _ tokens: Tokens, filter: SpeakableTextFilter, firstLimit: Int = 120, limit: Int = 400
  ) {
    self.tokens = tokens
    self.filter = filter
    self.writing = filter.writing
    self.limit = firstLimit
    self.laterLimit = limit
  }

  package mutating func next() -> SpeechPiece? {
    // A loop instead of recursion, because a document may change its language any number of
    // times without a word.
    while true {
      if case .finished = state { return nil }
      fill()
      if case .reading = state { return cut() }
      if buffer.count > limit { return cut() }
      if let piece = drain() { return piece }
    }
  }

  /// Reads until the buffer exceeds a piece, or a token ends the piece.
  private mutating func fill() {
    while case .reading = state, buffer.count < limit + 40 {
      switch tokens.next() {
      case .scalar(let scalar, let origin): filter.append(scalar, from: origin, to: &buffer)
      case .anchor(let id): buffer.appendAnchor(id)
      case .boundary(let id): state = .atBoundary(id)
      case .writing(let next):
        filter.writing = next
        if next != writing { state = .atWriting(next) }
      case nil: state = .ended
      }
    }
  }

  /// Returns the text before the token that ended the reading; `nil` if there is nothing to speak.
  private mutating func drain() -> SpeechPiece? {
    var piece = SpeechPiece(
      text: buffer, writing: writing, ending: .boundary, continuesSentence: isInSentence)
    buffer = SpeakableText()
    isInSentence = false
    limit = laterLimit
    switch state {
    case .atBoundary(let id):
      piece.boundary = id
      state = .reading
    case .atWriting(let next):
      writing = next
      state = .reading
      if piece.text.isEmpty { return nil }
    case .ended:
      state = .finished
      if piece.text.isEmpty { return nil }
    case .reading, .finished: break
    }
    return piece
  }

  private mutating func cut() -> SpeechPiece? {
    let place = SentenceCutter.cut(buffer.scalars, limit: limit)
    let piece = SpeechPiece(
      text: buffer.removeFirst(place.index), writing: writing,
      ending: place.kind == .word ? .word : .clause, continuesSentence: isInSentence)
    isInSentence = place.kind != .sentence
    limit = laterLimit
    return piece
  }
}

extension SpeechPieces: Sendable where Tokens: Sendable {}

/// A stretch of text that is synthesised at once.
package struct SpeechPiece: Sendable, Equatable {
  /// Where in the text a piece ends.
  package enum Ending: Sendable, Equatable {
    /// Behind a sentence or clause, with the pause that belongs there.
    case clause
    /// Between two words of a clause that is too long.
    case word
    /// At the end of everything or at a boundary.
    case boundary
  }

  /// What to speak; without scalars where there is only a boundary.
  package var text: SpeakableText
  /// The writing system it is in.
  package var writing: WritingSystem
  /// Where it ends.
  package var ending: Ending
  /// Whether it starts in the middle of a sentence.
  package var continuesSentence: Bool
  /// The number of the boundary behind it.
  package var boundary: Int?
}

/// Cuts text into pieces of bounded length, reading no further than it needs to.
///
/// A piece ends where a sentence surely ends; where sentences are too long, behind a comma or the like;
/// where clauses are too long, between words. So the voice's melody stays what it would be in one go.
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

  /// The pieces of those tokens: the first one short, so that speech starts soon.
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
    // A loop and no recursion: a document may change its language any number of times without a word.
    while true {
      if case .finished = state { return nil }
      fill()
      if case .reading = state { return cut() }
      if buffer.count > limit { return cut() }
      if let piece = drain() { return piece }
    }
  }

  /// Reads until there is more than a piece can take, or until something ends the piece.
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

  /// All that is left in front of what ended the reading; `nil` if that is nothing to be spoken.
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

import SpeechAudio

/// A recorded reply of a responder: its pieces, each with the time of its arrival.
///
/// As JSON it is an object with `question`, `isEarly`, `pieces` (each with `after`, seconds since
/// the responder was asked, and `text`, `isInterruptible` false where it could not be interrupted,
/// or `goodbye`), `end` in seconds, `outcome` (`complete`, `failed` or `abandoned`) and, for a
/// failure, `failure`.
///
/// ```swift
/// let replies = try ConversationBundle(contentsOf: folder).replies
/// print(replies.map(\.text))
/// ```
public struct RecordedReply: Sendable, Hashable {
  /// The end of a reply.
  public enum Outcome: Sendable, Hashable {
    /// The reply was complete.
    case complete
    /// The responder failed with this message.
    case failed(String)
    /// The loop no longer wanted the rest.
    case abandoned
  }

  /// A piece of a reply with its time.
  public struct Piece: Sendable, Hashable {
    /// The time since the responder was asked.
    public var after: Duration
    /// The piece that arrived.
    public var piece: ReplyPiece

    /// Creates a piece that arrives after the given time.
    public init(after: Duration, _ piece: ReplyPiece) {
      self.after = after
      self.piece = piece
    }
  }

  /// The words of the user's turn.
  public var question: String
  /// True if the user might still have continued.
  public var isEarly: Bool
  /// The pieces in the order of their arrival.
  public var pieces: [Piece]
  /// The time of the end since the responder was asked.
  public var end: Duration
  /// The kind of end.
  public var outcome: Outcome

  /// Creates a reply, as for a test that replays it.
  public init(
    question: String, isEarly: Bool = false, pieces: [Piece] = [], end: Duration = .zero,
    outcome: Outcome = .complete
  ) {
    self.question = question
    self.isEarly = isEarly
    self.pieces = pieces
    self.end = end
    self.outcome = outcome
  }

  /// The words of all pieces together.
  public var text: String {
    pieces.map { piece in
      switch piece.piece {
      case .text(let text), .uninterruptible(let text): text
      case .goodbye: ""
      }
    }.joined()
  }
}

extension RecordedReply: Codable {
  private struct Fields: Codable {
    struct Piece: Codable {
      var after: Double
      var text: String?
      var isInterruptible: Bool?
      var goodbye: Bool?
    }

    var question: String
    var isEarly: Bool
    var pieces: [Piece]
    var end: Double
    var outcome: String
    var failure: String?
  }

  /// Decodes a reply from the format described above.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let fields = try Fields(from: decoder)
    func fail(_ message: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
    }
    func time(_ seconds: Double) throws -> Duration {
      guard seconds >= 0, let time = Duration(microseconds: seconds) else {
        throw fail("\(seconds) is no time.")
      }
      return time
    }
    let outcome: Outcome
    switch fields.outcome {
    case "complete": outcome = .complete
    case "failed": outcome = .failed(fields.failure ?? "")
    case "abandoned": outcome = .abandoned
    default: throw fail("There is no outcome “\(fields.outcome)”.")
    }
    self.init(
      question: fields.question, isEarly: fields.isEarly,
      pieces: try fields.pieces.map { piece in
        let after = try time(piece.after)
        if piece.goodbye == true { return Piece(after: after, .goodbye) }
        guard let text = piece.text else { throw fail("A piece has no text.") }
        return Piece(
          after: after, piece.isInterruptible == false ? .uninterruptible(text) : .text(text))
      }, end: try time(fields.end), outcome: outcome)
  }

  /// Encodes the reply in the format described above.
  public func encode(to encoder: any Encoder) throws {
    let pieces = pieces.map { piece in
      let after = piece.after.inMicroseconds
      return switch piece.piece {
      case .text(let text): Fields.Piece(after: after, text: text)
      case .uninterruptible(let text):
        Fields.Piece(after: after, text: text, isInterruptible: false)
      case .goodbye: Fields.Piece(after: after, goodbye: true)
      }
    }
    var fields = Fields(
      question: question, isEarly: isEarly, pieces: pieces, end: end.inMicroseconds, outcome: "")
    switch outcome {
    case .complete: fields.outcome = "complete"
    case .failed(let reason): (fields.outcome, fields.failure) = ("failed", reason)
    case .abandoned: fields.outcome = "abandoned"
    }
    try fields.encode(to: encoder)
  }
}

import SpeechAudio

/// A reply as a responder gave it: its pieces, each with the time at which it came.
///
/// As JSON it is an object with `question`, `isEarly`, `pieces` (each with `after`, seconds since the
/// responder was asked, and `text`, `isInterruptible` false where it was to be said to its end, or `goodbye`),
/// `end` in seconds, `outcome` (`complete`, `failed` or `abandoned`) and, for a failure, `failure`.
///
/// ```swift
/// let replies = try ConversationBundle(contentsOf: folder).replies
/// print(replies.map(\.text))
/// ```
public struct RecordedReply: Sendable, Hashable {
  /// How it ended.
  public enum Outcome: Sendable, Hashable {
    /// It was complete.
    case complete
    /// The responder failed.
    case failed(String)
    /// Nobody wanted the rest.
    case abandoned
  }

  /// A piece of it.
  public struct Piece: Sendable, Hashable {
    /// When it came, since the responder was asked.
    public var after: Duration
    /// What came.
    public var piece: ReplyPiece

    /// A piece.
    public init(after: Duration, _ piece: ReplyPiece) {
      self.after = after
      self.piece = piece
    }
  }

  /// What the user had said.
  public var question: String
  /// Whether the user might still have gone on.
  public var isEarly: Bool
  /// What came.
  public var pieces: [Piece]
  /// When it ended, since the responder was asked.
  public var end: Duration
  /// How it ended.
  public var outcome: Outcome

  /// A reply.
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

  /// Its words.
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

  /// Reads a reply.
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

  /// Writes it.
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

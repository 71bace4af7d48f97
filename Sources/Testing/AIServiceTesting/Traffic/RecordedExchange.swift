import AIServices
import Foundation

/// One exchange with a server as it was recorded: what was asked, what was answered, and when each piece came.
public struct RecordedExchange: Sendable, Hashable {
  /// A header field.
  public struct Field: Sendable, Hashable {
    /// Its name as it was sent.
    public var name: String
    /// Its value.
    public var value: String

    /// A field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What was asked.
  public struct Request: Sendable, Hashable {
    /// What is asked for, like `POST`.
    public var method: String
    /// The address. A text, because what a secret was replaced with need not fit into an address.
    public var url: String
    /// The header fields in order.
    public var headers: [Field]
    /// What was sent; `nil` for nothing.
    public var body: Data?

    /// A request.
    public init(_ method: String, _ url: String, headers: [Field] = [], body: Data? = nil) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// The head of the answer.
  public struct Answer: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields in order.
    public var headers: [Field]
    /// How long it was waited for.
    public var after: Duration

    /// A head.
    public init(_ status: Int, headers: [Field] = [], after: Duration = .zero) {
      self.status = status
      self.headers = headers
      self.after = after
    }
  }

  /// A piece of the answer's body, as the transport gave it.
  public struct Piece: Sendable, Hashable {
    /// What came.
    public var bytes: Data
    /// How long it was waited for. Where the reader was slow it may have been there already.
    public var after: Duration

    /// A piece.
    public init(_ bytes: Data, after: Duration = .zero) {
      self.bytes = bytes
      self.after = after
    }
  }

  /// How it ended.
  public enum End: Sendable, Hashable {
    /// The answer was read to its end.
    case complete
    /// It failed, before the head of the answer or after.
    case failed(RecordedFailure)
    /// The task was cancelled.
    case cancelled
    /// The reader let go of the answer, or was not done with it when the recording was taken.
    case abandoned
  }

  /// What was asked.
  public var request: Request
  /// The head of the answer; `nil` if there was none.
  public var answer: Answer?
  /// The answer's body.
  public var pieces: [Piece]
  /// How it ended.
  public var end: End
  /// How long the end was waited for.
  public var endAfter: Duration

  /// An exchange.
  public init(
    _ request: Request, answer: Answer? = nil, pieces: [Piece] = [], end: End = .complete,
    endAfter: Duration = .zero
  ) {
    self.request = request
    self.answer = answer
    self.pieces = pieces
    self.end = end
    self.endAfter = endAfter
  }
}

extension RecordedExchange.Request {
  /// Method and address, for people.
  var title: String { "\(method) \(url)" }

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

import AIServices
import Foundation

/// A recorded exchange with a server: the request, the answer, and the time of each piece.
public struct RecordedExchange: Sendable, Hashable, Codable {
  /// A header field of a request or answer.
  public struct Field: Sendable, Hashable {
    /// The name as it was sent.
    public var name: String
    /// The value, masked if it is secret.
    public var value: String

    /// Creates a field from its name and value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The request of an exchange.
  public struct Request: Sendable, Hashable, Codable {
    /// The method, like `POST`.
    public var method: String
    /// The address. A text, because the mask of a secret need not fit into an address.
    public var url: String
    /// The header fields in order.
    public var headers: [Field]
    /// The body; `nil` if there was none.
    public var body: Data? {
      get { content?.wrappedValue }
      set { content = newValue.map { ReadableBytes(wrappedValue: $0) } }
    }
    private var content: ReadableBytes?

    private enum CodingKeys: String, CodingKey {
      case method, url, headers
      case content = "body"
    }

    /// Creates a request from its method and address.
    public init(_ method: String, _ url: String, headers: [Field] = [], body: Data? = nil) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// The head of an answer.
  public struct Answer: Sendable, Hashable, Codable {
    /// The status code of the answer.
    public var status: Int
    /// The header fields in order.
    public var headers: [Field]
    /// The time from the request to the head.
    @Seconds public var after: Duration

    /// Creates a head with a status code.
    public init(_ status: Int, headers: [Field] = [], after: Duration = .zero) {
      self.status = status
      self.headers = headers
      self.after = after
    }
  }

  /// A piece of an answer's body, as the transport delivered it.
  public struct Piece: Sendable, Hashable, Codable {
    /// The content of the piece.
    @ReadableBytes public var bytes: Data
    /// The time for which the reader waited. A slow reader may not have waited at all.
    @Seconds public var after: Duration

    /// Creates a piece from its content.
    public init(_ bytes: Data, after: Duration = .zero) {
      self.bytes = bytes
      self.after = after
    }
  }

  /// The end of an exchange.
  public enum End: Sendable, Hashable {
    /// The answer was read to its end.
    case complete
    /// The exchange failed, before the head of the answer or after it.
    case failed(RecordedFailure)
    /// The task was cancelled.
    case cancelled
    /// The reader released the answer early, or was still reading when the recording was taken.
    case abandoned
  }

  /// The request that was sent.
  public var request: Request
  /// The head of the answer; `nil` if none arrived.
  public var answer: Answer?
  /// The body of the answer, in pieces.
  public var pieces: [Piece]
  /// The end of the exchange.
  public var end: End
  /// The time from the last piece to the end.
  @Seconds public var endAfter: Duration

  /// Creates an exchange from a request and its answer.
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

extension RecordedExchange.Field: Codable {
  /// Decodes a list of the name and the value.
  public init(from decoder: any Decoder) throws {
    let pair = try decoder.singleValueContainer().decode([String].self)
    guard pair.count == 2 else {
      throw decoder.error("A header field is a list of its name and its value.")
    }
    self.init(pair[0], pair[1])
  }

  /// Encodes a list of the name and the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode([name, value])
  }
}

extension RecordedExchange.End: Codable {
  private enum CodingKeys: String, CodingKey { case failed }
  private static let words: [String: Self] = [
    "complete": .complete, "cancelled": .cancelled, "abandoned": .abandoned,
  ]

  /// Decodes a word, or an object with the failure.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .failed(try container.decode(RecordedFailure.self, forKey: .failed))
    } else {
      self = try decoder.value(in: Self.words)
    }
  }

  /// Encodes a word, or an object with the failure.
  public func encode(to encoder: any Encoder) throws {
    if case .failed(let failure) = self {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(failure, forKey: .failed)
    } else {
      var container = encoder.singleValueContainer()
      try container.encode(Self.words.first { $0.value == self }?.key)
    }
  }
}

extension RecordedExchange.Request {
  /// The method and the address, for messages.
  var title: String { "\(method) \(url)" }

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  init(_ request: HTTPRequest) {
    self.init(
      request.method.rawValue, request.url.absoluteString, headers: request.headers.recorded,
      body: request.body)
  }
}

extension RecordedExchange.End {
  init(_ error: any Error) {
    self = error is CancellationError ? .cancelled : .failed(RecordedFailure(error))
  }
}

extension HTTPHeaders {
  var recorded: [RecordedExchange.Field] { fields.map { .init($0.name, $0.value) } }

  init(_ fields: [RecordedExchange.Field]) {
    self.init()
    for field in fields { append(field.name, field.value) }
  }
}

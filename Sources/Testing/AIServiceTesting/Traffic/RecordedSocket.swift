import AIServices
import Foundation

/// A recorded WebSocket: its opening, the messages in both directions, and its end.
public struct RecordedSocket: Sendable, Hashable, Codable {
  /// The server's agreement to a connection.
  public struct Opening: Sendable, Hashable, Codable {
    /// The protocol that the server chose from those offered.
    public var subprotocol: String?
    /// The time from the request to the agreement.
    @Seconds public var after: Duration

    /// Creates an agreement on a protocol.
    public init(subprotocol: String? = nil, after: Duration = .zero) {
      self.subprotocol = subprotocol
      self.after = after
    }
  }

  /// An event on a connection.
  public struct Event: Sendable, Hashable, Codable {
    /// The kind of an event.
    public enum Kind: Sendable, Hashable {
      /// The client sent a message.
      case sent(WebSocketMessage)
      /// The client read a message of the server.
      case received(WebSocketMessage)
      /// The client began to close the connection.
      case closing(WebSocketClose)
    }

    /// The kind, with the message.
    public var kind: Kind
    /// The time since the previous event on this connection.
    @Seconds public var after: Duration

    /// Creates an event of a kind.
    public init(_ kind: Kind, after: Duration = .zero) {
      self.kind = kind
      self.after = after
    }
  }

  /// The end of a connection.
  public enum End: Sendable, Hashable {
    /// It was closed in order.
    case closed(WebSocketClose)
    /// The server answered the request with something else than a WebSocket.
    case refused(WebSocketHandshakeError)
    /// It could not be opened, or was interrupted.
    case failed(RecordedFailure)
    /// The task was cancelled while it was opened.
    case cancelled
    /// The client released it, or it was still open when the recording was taken.
    case abandoned
  }

  /// The request that opens the connection.
  public var request: RecordedExchange.Request
  /// The server's agreement; `nil` if it did not agree.
  public var opening: Opening?
  /// The events in order.
  public var events: [Event]
  /// The end of the connection.
  public var end: End
  /// The time from the last event to the end.
  @Seconds public var endAfter: Duration

  /// Creates a connection from its request and events.
  public init(
    _ request: RecordedExchange.Request, opening: Opening? = nil, events: [Event] = [],
    end: End = .abandoned, endAfter: Duration = .zero
  ) {
    self.request = request
    self.opening = opening
    self.events = events
    self.end = end
    self.endAfter = endAfter
  }

  /// The messages that the client sent.
  public var sent: [WebSocketMessage] {
    events.compactMap { if case .sent(let message) = $0.kind { message } else { nil } }
  }

  /// The messages that the client read.
  public var received: [WebSocketMessage] {
    events.compactMap { if case .received(let message) = $0.kind { message } else { nil } }
  }
}

extension RecordedSocket.Event.Kind: Codable {
  private enum CodingKeys: String, CodingKey {
    case sent, sent64, received, received64, closing
  }

  /// Decodes an object with one member, named after the kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch container.allKeys.first {
    case .sent: self = .sent(.text(try container.decode(String.self, forKey: .sent)))
    case .sent64: self = .sent(.binary(try container.decode(Data.self, forKey: .sent64)))
    case .received: self = .received(.text(try container.decode(String.self, forKey: .received)))
    case .received64:
      self = .received(.binary(try container.decode(Data.self, forKey: .received64)))
    case .closing: self = .closing(try container.decode(WebSocketClose.self, forKey: .closing))
    case nil: throw decoder.error("An event is “sent”, “received” or “closing”.")
    }
  }

  /// Encodes an object with one member, named after the kind.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .sent(.text(let text)): try container.encode(text, forKey: .sent)
    case .sent(.binary(let data)): try container.encode(data, forKey: .sent64)
    case .received(.text(let text)): try container.encode(text, forKey: .received)
    case .received(.binary(let data)): try container.encode(data, forKey: .received64)
    case .closing(let close): try container.encode(close, forKey: .closing)
    }
  }
}

extension RecordedSocket.End: Codable {
  private enum CodingKeys: String, CodingKey { case closed, refused, failed }
  private static let words: [String: Self] = ["cancelled": .cancelled, "abandoned": .abandoned]

  /// Decodes a word, or an object with the close, the refusal or the failure.
  public init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
      self = try decoder.value(in: Self.words)
      return
    }
    if let close = try container.decodeIfPresent(WebSocketClose.self, forKey: .closed) {
      self = .closed(close)
    } else if let refusal = try container.decodeIfPresent(
      WebSocketHandshakeError.self, forKey: .refused)
    {
      self = .refused(refusal)
    } else {
      self = .failed(try container.decode(RecordedFailure.self, forKey: .failed))
    }
  }

  /// Encodes a word, or an object with the close, the refusal or the failure.
  public func encode(to encoder: any Encoder) throws {
    if let word = Self.words.first(where: { $0.value == self })?.key {
      var container = encoder.singleValueContainer()
      return try container.encode(word)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .closed(let close): try container.encode(close, forKey: .closed)
    case .refused(let refusal): try container.encode(refusal, forKey: .refused)
    case .failed(let failure): try container.encode(failure, forKey: .failed)
    case .cancelled, .abandoned: break
    }
  }
}

extension RecordedSocket.End {
  init(_ error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case let refusal as WebSocketHandshakeError: self = .refused(refusal)
    default: self = .failed(RecordedFailure(error))
    }
  }

  /// The close or the error that ended the connection; `nil` if the client ended it.
  var outcome: Result<WebSocketClose, any Error>? {
    switch self {
    case .closed(let close): .success(close)
    case .refused(let refusal): .failure(refusal)
    case .failed(let failure): .failure(failure.replayed)
    case .cancelled, .abandoned: nil
    }
  }
}

extension RecordedExchange.Request {
  init(_ request: WebSocketRequest) {
    var fields = request.headers.recorded
    var offered = request.subprotocols
    if let secret = request.secretSubprotocol { offered.append(secret.prefix + SecureString.mask) }
    if !offered.isEmpty {
      fields.append(.init("Sec-WebSocket-Protocol", offered.joined(separator: ", ")))
    }
    self.init("GET", request.url.absoluteString, headers: fields)
  }
}

extension WebSocketRequest {
  /// All secrets that the request carries.
  var secrets: [SecureString] {
    guard let secret = secretSubprotocol?.secret else { return headers.secrets }
    // Phoenix encodes it in base 64; the decoded secret may be repeated elsewhere.
    return headers.secrets + [secret] + (secret.decodedFromBase64.map { [$0] } ?? [])
  }
}

extension SecureString {
  fileprivate var decodedFromBase64: SecureString? {
    let text = value.replacing("-", with: "+").replacing("_", with: "/")
    let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: padded),
      let decoded = String(validating: data, as: UTF8.self), !decoded.isEmpty
    else { return nil }
    return SecureString(decoded)
  }
}

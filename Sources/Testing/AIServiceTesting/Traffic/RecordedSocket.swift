import AIServices
import Foundation

/// A WebSocket as it was recorded: how it was opened, what was sent in both directions, and how it ended.
///
/// A session of Engine.IO that begins with long-polling is one, too, whatever carried its packets: each packet is a
/// message, and what only serves to change from polling to a WebSocket is left out.
public struct RecordedSocket: Sendable, Hashable {
  /// How the server agreed to speak.
  public struct Opening: Sendable, Hashable {
    /// The protocol that it chose among those offered.
    public var subprotocol: String?
    /// How long it was waited for.
    public var after: Duration

    /// An agreement.
    public init(subprotocol: String? = nil, after: Duration = .zero) {
      self.subprotocol = subprotocol
      self.after = after
    }
  }

  /// One thing that happened on the connection.
  public struct Event: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
      /// The client sent something.
      case sent(WebSocketMessage)
      /// The client read what the server had sent.
      case received(WebSocketMessage)
      /// The client asked for the end.
      case closing(WebSocketClose)
    }

    /// What happened.
    public var kind: Kind
    /// The time since what had happened before on this connection.
    public var after: Duration

    /// A thing that happened.
    public init(_ kind: Kind, after: Duration = .zero) {
      self.kind = kind
      self.after = after
    }
  }

  /// How it ended.
  public enum End: Sendable, Hashable {
    /// It was closed in order.
    case closed(WebSocketClose)
    /// The server answered something else; for long-polling, also later.
    case refused(WebSocketRefusal)
    /// It could not be opened, or broke.
    case failed(RecordedFailure)
    /// The task was cancelled while it was opened.
    case cancelled
    /// The client let go of it, or it was still open when the recording was taken.
    case abandoned
  }

  /// The request that it begins with.
  public var request: RecordedExchange.Request
  /// How the server agreed; `nil` if it did not.
  public var opening: Opening?
  /// What happened on it, in order.
  public var events: [Event]
  /// How it ended.
  public var end: End
  /// The time between that and what had happened before.
  public var endAfter: Duration

  /// A connection.
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

  /// What the client sent.
  public var sent: [WebSocketMessage] {
    events.compactMap { if case .sent(let message) = $0.kind { message } else { nil } }
  }

  /// What the client read.
  public var received: [WebSocketMessage] {
    events.compactMap { if case .received(let message) = $0.kind { message } else { nil } }
  }
}

extension RecordedSocket.End {
  init(_ error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case let refusal as WebSocketRefusal: self = .refused(refusal)
    default: self = .failed(RecordedFailure(error))
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
  /// All that must not be seen.
  var secrets: [SecureString] {
    guard let secret = secretSubprotocol?.secret else { return headers.secrets }
    // Phoenix has it in base 64; what it is may be repeated elsewhere.
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

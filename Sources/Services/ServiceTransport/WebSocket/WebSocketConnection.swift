/// A WebSocket that is open, or was.
///
/// Laws: messages arrive whole and in order; pings are answered by themselves; who reads slowly slows the server
/// down, and `send` waits while the server does not take what was sent; there is one reader, and any number of
/// senders. A connection that nobody holds any more is closed.
///
/// ```swift
/// let socket = try await CurlTransport.shared.open(WebSocketRequest(address))
/// try await socket.send(.text("hello"))
/// for try await message in socket.messages { … }
/// ```
public protocol WebSocketConnection: AnyObject, Sendable {
  /// The protocol that the server chose among those offered.
  var subprotocol: String? { get }

  /// How the connection was closed; `nil` while it is open and when it broke.
  var close: WebSocketClose? { get }

  /// Sends messages that nobody else's may come between. Returns when they are on their way, which is before the
  /// server has them.
  ///
  /// - Throws: `HTTPFailure` when the connection is closed or broken; `CancellationError` when the task
  ///   was cancelled, and then nothing was sent.
  func send(_ messages: [WebSocketMessage]) async throws

  /// The next message; `nil` when the connection was closed in order.
  ///
  /// - Throws: `HTTPFailure` when it broke: `interrupted` when the server went away, `timedOut(.idle)` when
  ///   it fell silent, `malformed` and `tooLarge` when it sent what it must not; `CancellationError` when
  ///   the task was cancelled, and then no message is lost.
  func receive() async throws -> WebSocketMessage?

  /// Closes the connection: what was sent before goes out, the server is told, and has a moment to agree.
  /// When this returns, the connection is gone.
  func close(_ close: WebSocketClose) async

  /// Ends the connection without another word. When this returns, it is gone.
  func drop() async
}

extension WebSocketConnection {
  /// Sends a message; see `send(_:)` for several.
  public func send(_ message: WebSocketMessage) async throws { try await send([message]) }

  /// Closes the connection; see `close(_:)`.
  public func close(code: UInt16 = 1000, reason: String = "") async {
    await close(WebSocketClose(code: code, reason: reason))
  }

  /// The messages until the connection ends, for one reader.
  public var messages: WebSocketMessages { WebSocketMessages(connection: self) }
}

/// The messages of a connection.
public struct WebSocketMessages: AsyncSequence, Sendable {
  /// What is sent.
  public typealias Element = WebSocketMessage
  let connection: any WebSocketConnection

  /// Reads the messages.
  public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

  /// Reads the messages one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let connection: any WebSocketConnection

    /// The next message; `nil` when the connection was closed in order.
    public mutating func next() async throws -> WebSocketMessage? {
      try await connection.receive()
    }
  }
}

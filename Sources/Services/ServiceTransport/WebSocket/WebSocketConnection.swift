/// A WebSocket connection.
///
/// Laws: messages arrive whole and in order; pings are answered automatically; slow reading slows
/// the server down, and `send` waits while the server does not accept data; there is one reader and
/// any number of senders. Releasing a connection closes it.
///
/// ```swift
/// let socket = try await CurlTransport.shared.open(WebSocketRequest(address))
/// try await socket.send(.text("hello"))
/// for try await message in socket.messages { … }
/// ```
public protocol WebSocketConnection: AnyObject, Sendable {
  /// The protocol that the server chose among the offered ones.
  var subprotocol: String? { get }

  /// The close frame of the connection; `nil` while it is open and after a failure.
  var close: WebSocketClose? { get }

  /// Sends messages without others in between. Returns when they are enqueued, which is before the
  /// server has received them.
  ///
  /// - Throws: `HTTPFailure` if the connection is closed or broken; `CancellationError` when the
  ///   task was cancelled, and then nothing was sent.
  func send(_ messages: [WebSocketMessage]) async throws

  /// The next message; `nil` when the connection was closed in order.
  ///
  /// - Throws: `HTTPFailure` if the connection failed: `interrupted` if the server disconnected,
  ///   `timedOut(.idle)` if it stopped responding, `malformed` or `tooLarge` if it violated the
  ///   protocol or a limit; `CancellationError` when the task was cancelled, and then no message is
  ///   lost.
  func receive() async throws -> WebSocketMessage?

  /// Sends pending messages and a close frame, waits a short time for the server's answer, and
  /// returns when the connection is closed.
  func close(_ close: WebSocketClose) async

  /// Closes the connection immediately, and returns when it is closed.
  func drop() async
}

extension WebSocketConnection {
  /// Sends a single message; see `send(_:)` for several.
  public func send(_ message: WebSocketMessage) async throws { try await send([message]) }

  /// Closes the connection with a code; see `close(_:)`.
  public func close(code: UInt16 = 1000, reason: String = "") async {
    await close(WebSocketClose(code: code, reason: reason))
  }

  /// The messages until the connection ends, for one reader.
  public var messages: WebSocketMessages { WebSocketMessages(connection: self) }
}

/// The messages of a connection as an asynchronous sequence.
public struct WebSocketMessages: AsyncSequence, Sendable {
  /// A message of the server.
  public typealias Element = WebSocketMessage
  let connection: any WebSocketConnection

  /// Starts reading the messages.
  public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

  /// The iterator over the messages.
  public struct Iterator: AsyncIteratorProtocol {
    let connection: any WebSocketConnection

    /// The next message; `nil` when the connection was closed in order.
    public mutating func next() async throws -> WebSocketMessage? {
      try await connection.receive()
    }
  }
}

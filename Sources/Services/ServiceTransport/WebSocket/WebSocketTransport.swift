/// The way to servers that speak WebSocket.
///
/// Laws: `open` returns when the server has agreed; opening ends within the request's time-out; cancelling the task
/// closes what had been opened. Errors are `HTTPFailure`, `WebSocketHandshakeError` when the server answers something else,
/// and `CancellationError` when the task was cancelled.
public protocol WebSocketTransport: Sendable {
  /// Opens a connection.
  func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection
}

extension HTTPTransport {
  /// The way to WebSockets that goes with it: itself where it knows them, so that what is replayed or kept off the
  /// network is so for them as well.
  package var sockets: any WebSocketTransport {
    self as? any WebSocketTransport ?? CurlTransport.shared
  }
}

extension CurlTransport: WebSocketTransport {
  /// Opens a connection, which one thread of the program serves with all others.
  ///
  /// - Throws: `HTTPFailure`; `WebSocketHandshakeError` when the server answers something else;
  ///   `CancellationError` when the task was cancelled.
  public func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
    try await CurlWebSocket.open(request, offline: offline)
  }
}

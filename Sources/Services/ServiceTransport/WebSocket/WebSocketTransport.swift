/// A transport that opens WebSockets.
///
/// Laws: `open` returns when the handshake is complete; it ends within the request's timeout;
/// cancelling the task closes the connection. Errors are `HTTPFailure`, `WebSocketHandshakeError`
/// if the server answers with something else, and `CancellationError` when the task was cancelled.
public protocol WebSocketTransport: Sendable {
  /// Opens a connection and completes the handshake.
  func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection
}

extension HTTPTransport {
  /// The WebSocket transport that belongs to this one: itself if it supports WebSockets, so that
  /// replayed or forbidden traffic includes them.
  package var sockets: any WebSocketTransport {
    self as? any WebSocketTransport ?? CurlTransport.shared
  }
}

extension CurlTransport: WebSocketTransport {
  /// Opens a connection. One thread of the program serves all connections.
  ///
  /// - Throws: `HTTPFailure`; `WebSocketHandshakeError` if the server answers with something else;
  ///   `CancellationError` when the task was cancelled.
  public func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
    try await CurlWebSocket.open(request, offline: offline)
  }
}

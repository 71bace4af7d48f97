/// A transport that opens WebSockets.
///
/// Laws: `open` returns when the handshake is complete; it ends within the request's timeout;
/// cancelling the task closes the connection. Errors are `HTTPFailure`, `WebSocketHandshakeError`
/// if the server answers with something else, and `CancellationError` when the task was cancelled.
public protocol WebSocketTransport: Sendable {
  /// Opens a connection and completes the handshake.
  func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection
}

/// The way to a server and back.
///
/// Laws: `send` returns when the head of the response is there, whatever its status; redirects are not
/// followed; header values with control characters are refused; every wait ends within the request's
/// time-outs; cancelling the task closes the connection. Errors are `HTTPFailure`, and
/// `CancellationError` when the task was cancelled.
public protocol HTTPTransport: Sendable {
  /// Sends the request.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

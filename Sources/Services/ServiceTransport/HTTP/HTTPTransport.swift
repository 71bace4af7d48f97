/// A transport that sends requests and returns responses.
///
/// Laws: `send` returns when the head of the response has arrived, whatever its status; redirects
/// are not followed; header values with control characters are refused; every wait ends within the
/// timeouts of the request; cancelling the task closes the connection. Errors are `HTTPFailure`,
/// and `CancellationError` when the task was cancelled.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the response with its body still arriving.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

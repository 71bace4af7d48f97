/// Answers requests.
protocol RequestHandler: Sendable {
  /// Returns a response to the head of a request, without its body; `nil` to read the body.
  func immediateAnswer(to head: ConsoleRequest) -> ConsoleResponse?

  /// Returns the response to any other request. The task is cancelled when the client leaves.
  func response(to request: ConsoleRequest) async -> ConsoleResponse
}

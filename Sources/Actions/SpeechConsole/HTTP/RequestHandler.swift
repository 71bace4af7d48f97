/// Answers requests.
protocol RequestHandler: Sendable {
  /// Returns true if the head of a request shows that its client has access.
  func knows(_ head: ConsoleRequest) -> Bool

  /// Returns a response to the head of a request, without its body; `nil` to read the body.
  func immediateAnswer(to head: ConsoleRequest) -> ConsoleResponse?

  /// Returns the response to any other request. The task is cancelled when the client leaves.
  func response(to request: ConsoleRequest) async -> ConsoleResponse
}

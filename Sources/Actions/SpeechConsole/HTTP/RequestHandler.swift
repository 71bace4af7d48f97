/// Answers requests.
protocol RequestHandler: Sendable {
  /// What is answered to the head of a request already, without reading its body; `nil` to read on.
  func immediateAnswer(to head: ConsoleRequest) -> ConsoleResponse?

  /// The answer to any other request. The task is cancelled when the client is gone.
  func response(to request: ConsoleRequest) async -> ConsoleResponse
}

/// A service that holds conversations.
///
/// Laws: the request is sent when the stream is first read; each piece is delivered as it arrives;
/// the stream ends with `finished`, or throws `AIServiceError`, or `CancellationError` when the
/// task was cancelled; pieces before an error stay valid; releasing the stream closes the
/// connection.
public protocol ChatService: AIServiceProvider {
  /// Continues the conversation and streams the answer.
  func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error>
}

extension ChatService {
  /// Continues the conversation and returns the complete answer.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  public func reply(to request: ChatRequest) async throws -> ChatReply {
    var reply = ChatReply()
    for try await event in chat(request) {
      switch event {
      case .text(let piece): reply.text += piece
      case .toolCall(let call): reply.toolCalls.append(call)
      case .usage(let usage): reply.usage = usage
      case .finished(let finish): reply.finish = finish
      }
    }
    try Task.checkCancellation()
    return reply
  }
}

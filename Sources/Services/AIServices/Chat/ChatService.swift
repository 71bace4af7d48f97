/// A service that holds a conversation.
///
/// Laws: the stream asks the service when it is first read, gives each piece as it arrives and ends with
/// `finished`, or throws `AIServiceError`, or `CancellationError` when the task was cancelled; what came
/// before an error stays valid; who stops reading closes the connection.
public protocol ChatService: AIServiceProvider {
  /// Continues the conversation.
  func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error>
}

extension ChatService {
  /// The whole answer at once.
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

/// A step of an answer that is being written.
///
/// Texts come in order; a tool call comes when it is complete; `usage` comes when the service tells;
/// `finished` comes last, and a stream that ends without it has thrown an error.
public enum ChatEvent: Sendable, Hashable {
  /// The next piece of the answer.
  case text(String)
  /// The model calls a tool.
  case toolCall(ChatToolCall)
  /// What the answer took.
  case usage(ServiceUsage)
  /// The answer is complete.
  case finished(ChatFinish)
}

/// Why an answer ended.
public enum ChatFinish: Sendable, Hashable {
  /// It was said.
  case complete
  /// The most tokens were reached.
  case length
  /// Tools have to be called first.
  case toolCalls
  /// The service refused to go on.
  case refused(String)
  /// Something of the service's own.
  case other(String)
}

/// A whole answer.
public struct ChatReply: Sendable, Hashable {
  /// The text.
  public var text: String
  /// The tools that are to be called.
  public var toolCalls: [ChatToolCall]
  /// What it took, as far as the service told.
  public var usage: ServiceUsage
  /// Why it ended.
  public var finish: ChatFinish

  /// An answer.
  public init(
    text: String = "", toolCalls: [ChatToolCall] = [], usage: ServiceUsage = ServiceUsage(),
    finish: ChatFinish = .complete
  ) {
    self.text = text
    self.toolCalls = toolCalls
    self.usage = usage
    self.finish = finish
  }
}

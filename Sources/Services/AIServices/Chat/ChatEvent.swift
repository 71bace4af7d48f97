/// An event of an answer.
///
/// Texts arrive in order; a tool call arrives when it is complete; `usage` arrives if the service
/// reports it; `finished` arrives last. A stream that ends without it has thrown an error.
public enum ChatEvent: Sendable, Hashable {
  /// The next piece of the answer.
  case text(String)
  /// A call of a tool by the model.
  case toolCall(ChatToolCall)
  /// The usage reported for the answer.
  case usage(ServiceUsage)
  /// The answer is complete.
  case finished(ChatFinish)
}

/// The reason for the end of an answer.
public enum ChatFinish: Sendable, Hashable {
  /// The model finished its answer.
  case complete
  /// The maximum number of output tokens was reached.
  case length
  /// The model waits for results of tools.
  case toolCalls
  /// The service refused to continue, for the given reason.
  case refused(String)
  /// A reason that is specific to the service.
  case other(String)
}

/// A complete answer of a model.
public struct ChatReply: Sendable, Hashable {
  /// The text of the answer.
  public var text = ""
  /// The requested tool calls.
  public var toolCalls: [ChatToolCall] = []
  /// The usage, as far as the service reports it.
  public var usage = ServiceUsage()
  /// The reason for the end of the answer.
  public var finish = ChatFinish.complete
}

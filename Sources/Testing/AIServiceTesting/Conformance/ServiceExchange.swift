import AIServices

/// What a provider says to its service and hears from it, for the conformance suite.
public struct ServiceExchange: Sendable {
  /// What is asked for. The suite adds a number to it, to tell requests apart.
  public var prompt: String
  /// The service's documented answer to a request.
  public var reply: @Sendable (RecordedRequest) -> ScriptedReply
  /// Whether the content is what that answer means.
  public var isExpected: @Sendable (ResponseContent) -> Bool
  /// Whether the answer is JSON or made of JSON, so that anything else is malformed.
  public var answersInJSON: Bool
  /// Whether the answer ends with a mark, so that a part of it is noticed.
  public var hasEndMark: Bool

  /// An exchange.
  public init(
    prompt: String = "Hello", answersInJSON: Bool = true, hasEndMark: Bool = true,
    reply: @escaping @Sendable (RecordedRequest) -> ScriptedReply,
    isExpected: @escaping @Sendable (ResponseContent) -> Bool
  ) {
    self.prompt = prompt
    self.answersInJSON = answersInJSON
    self.hasEndMark = hasEndMark
    self.reply = reply
    self.isExpected = isExpected
  }
}

/// What a provider is made with when the conformance suite tries it.
public struct ServiceSurroundings: Sendable {
  /// The address of the suite's server.
  public let baseURL: String
  /// Where the key is, under the provider's id.
  public let credentials: AICredentialManager
  /// Transport, time and retry policy.
  public let environment: ServiceEnvironment
}

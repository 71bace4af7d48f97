import AIServices

/// An exchange between a provider and its service, for the conformance suite.
public struct ServiceExchange: Sendable {
  /// The prompt. The suite appends a number to distinguish requests.
  public var prompt: String
  /// The service's documented answer to a request.
  public var reply: @Sendable (RecordedRequest) -> ScriptedReply
  /// The service's documented answer to a request with a schema, which is the JSON object that the
  /// schema requires; `nil` for a provider that does not claim structured data.
  public var structuredReply: (@Sendable (RecordedRequest) -> ScriptedReply)?
  /// Returns true if the content corresponds to that answer.
  public var isExpected: @Sendable (ResponseContent) -> Bool
  /// True if the answer consists of JSON, so that anything else is malformed.
  public var answersInJSON: Bool
  /// True if the answer ends with a marker, so that an incomplete one is detected.
  public var hasEndMark: Bool

  /// Creates an exchange of a prompt and its answer.
  public init(
    prompt: String = "Hello", answersInJSON: Bool = true, hasEndMark: Bool = true,
    reply: @escaping @Sendable (RecordedRequest) -> ScriptedReply,
    structuredReply: (@Sendable (RecordedRequest) -> ScriptedReply)? = nil,
    isExpected: @escaping @Sendable (ResponseContent) -> Bool
  ) {
    self.prompt = prompt
    self.answersInJSON = answersInJSON
    self.hasEndMark = hasEndMark
    self.reply = reply
    self.structuredReply = structuredReply
    self.isExpected = isExpected
  }
}

/// The environment of a provider under test.
public struct ServiceTestContext: Sendable {
  /// The address of the suite's server.
  public let baseURL: String
  /// The credentials, with a key for the provider's id.
  public let credentials: AICredentialManager
  /// The transport, the clock and the retry policy.
  public let environment: ServiceEnvironment
}

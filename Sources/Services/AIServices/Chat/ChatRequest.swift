/// A request to continue a conversation.
///
/// The service chooses the values that are `nil`.
public struct ChatRequest: Sendable, Hashable {
  /// The messages so far, the oldest first.
  public var messages: [ChatMessage]
  /// The model; `nil` for the provider's default.
  public var model: String?
  /// The maximum number of output tokens.
  public var maxTokens: Int?
  /// The sampling temperature of the model.
  public var temperature: Double?
  /// The probability mass for nucleus sampling.
  public var topP: Double?
  /// Texts at which the answer ends.
  public var stop: [String]
  /// The tools that the model may call.
  public var tools: [ChatTool]
  /// The rule for calling tools; `nil` for the service's default.
  public var toolChoice: ChatToolChoice?
  /// The JSON schema of the answer.
  public var responseSchema: SendableValue?
  /// Additional members of the request, as documented by the service.
  public var extra: [String: SendableValue]
  /// True to receive the answer in pieces, if the service supports that.
  public var streams = true
  /// The maximum number of retries; `nil` to apply the retry policy.
  public var retries: Int?

  /// Creates a request for a conversation.
  public init(
    messages: [ChatMessage], model: String? = nil, maxTokens: Int? = nil,
    temperature: Double? = nil, topP: Double? = nil, stop: [String] = [], tools: [ChatTool] = [],
    toolChoice: ChatToolChoice? = nil, responseSchema: SendableValue? = nil,
    extra: [String: SendableValue] = [:]
  ) {
    self.messages = messages
    self.model = model
    self.maxTokens = maxTokens
    self.temperature = temperature
    self.topP = topP
    self.stop = stop
    self.tools = tools
    self.toolChoice = toolChoice
    self.responseSchema = responseSchema
    self.extra = extra
  }

  /// The call with the options that are not part of its body.
  func marked(_ call: ServiceCall) -> ServiceCall {
    var call = streams ? call.accepting("text/event-stream") : call
    call.retries = retries
    return call
  }

  /// Creates a request with a single question.
  public init(_ prompt: String, model: String? = nil) {
    self.init(messages: [.user(prompt)], model: model)
  }
}

/// A message of a conversation.
public struct ChatMessage: Sendable, Hashable, Codable {
  /// The author of a message.
  public enum Role: String, Sendable, Codable {
    /// Instructions of the application.
    case system
    /// The user of the application.
    case user
    /// The model that answers.
    case assistant
    /// The result of a tool.
    case tool
  }

  /// The author of the message.
  public var role: Role
  /// The text of the message.
  public var text: String
  /// The tool calls of an assistant's message.
  public var toolCalls: [ChatToolCall]
  /// The call that a tool's message answers.
  public var toolCallID: String?

  /// Creates a message with a role.
  public init(
    role: Role, text: String, toolCalls: [ChatToolCall] = [], toolCallID: String? = nil
  ) {
    self.role = role
    self.text = text
    self.toolCalls = toolCalls
    self.toolCallID = toolCallID
  }

  /// Creates a message with instructions.
  public static func system(_ text: String) -> ChatMessage {
    ChatMessage(role: .system, text: text)
  }
  /// Creates a message of the user.
  public static func user(_ text: String) -> ChatMessage { ChatMessage(role: .user, text: text) }
  /// Creates a message of the assistant.
  public static func assistant(_ text: String) -> ChatMessage {
    ChatMessage(role: .assistant, text: text)
  }
  /// Creates a message with the result of a tool.
  public static func tool(_ text: String, answering callID: String) -> ChatMessage {
    ChatMessage(role: .tool, text: text, toolCallID: callID)
  }
}

/// A function that the model may call.
public struct ChatTool: Sendable, Hashable {
  /// The name of the tool.
  public var name: String
  /// The description of the tool, for the model.
  public var description: String
  /// The JSON schema of the arguments.
  public var parameters: SendableValue

  /// Creates a tool; by default it has no arguments.
  public init(
    name: String, description: String,
    parameters: SendableValue = ["type": "object", "properties": [:]]
  ) {
    self.name = name
    self.description = description
    self.parameters = parameters
  }
}

/// The rule for calling tools.
public enum ChatToolChoice: Sendable, Hashable {
  /// The model decides whether to call tools.
  case automatic
  /// The model must not call tools.
  case none
  /// The model must call at least one tool.
  case required
  /// The model must call the named tool.
  case tool(String)
}

/// A call of a tool by the model.
public struct ChatToolCall: Sendable, Hashable, Codable {
  /// The identifier of the call, for its result.
  public var id: String
  /// The name of the tool.
  public var name: String
  /// The arguments as JSON, in the model's own formatting.
  public var arguments: String

  /// Creates a call of a tool.
  public init(id: String, name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

/// A conversation that a chat service is to continue.
///
/// What is `nil` is left to the service.
public struct ChatRequest: Sendable, Hashable {
  /// The messages so far, the oldest first.
  public var messages: [ChatMessage]
  /// The model; `nil` for the provider's default.
  public var model: String?
  /// The most tokens of the answer.
  public var maxTokens: Int?
  /// How freely words are chosen.
  public var temperature: Double?
  /// The share of likely words to choose from.
  public var topP: Double?
  /// Texts that end the answer.
  public var stop: [String]
  /// What the model may call.
  public var tools: [ChatTool]
  /// Whether it must, may or may not call.
  public var toolChoice: ChatToolChoice?
  /// A JSON schema that the answer has to follow.
  public var responseSchema: SendableValue?
  /// Further members of the request, as the service documents them.
  public var extra: [String: SendableValue]
  /// Whether the answer is to come piece by piece, where the service can do that.
  public var streams = true
  /// How often the request is sent again at most; `nil` for as often as the retry policy says.
  public var retries: Int?

  /// A request.
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

  /// The call, with what of the request is not for the service.
  func marked(_ call: ServiceCall) -> ServiceCall {
    var call = streams ? call.accepting("text/event-stream") : call
    call.retries = retries
    return call
  }

  /// A request with one question.
  public init(_ prompt: String, model: String? = nil) {
    self.init(messages: [.user(prompt)], model: model)
  }
}

/// One message of a conversation.
public struct ChatMessage: Sendable, Hashable, Codable {
  /// Who speaks.
  public enum Role: String, Sendable, Codable {
    /// Who sets the rules.
    case system
    /// Who asks.
    case user
    /// Who answers.
    case assistant
    /// What a tool returned.
    case tool
  }

  /// Who speaks.
  public var role: Role
  /// What is said.
  public var text: String
  /// What the assistant called.
  public var toolCalls: [ChatToolCall]
  /// The call that a tool's message answers.
  public var toolCallID: String?

  /// A message.
  public init(
    role: Role, text: String, toolCalls: [ChatToolCall] = [], toolCallID: String? = nil
  ) {
    self.role = role
    self.text = text
    self.toolCalls = toolCalls
    self.toolCallID = toolCallID
  }

  /// A rule.
  public static func system(_ text: String) -> ChatMessage {
    ChatMessage(role: .system, text: text)
  }
  /// A question.
  public static func user(_ text: String) -> ChatMessage { ChatMessage(role: .user, text: text) }
  /// An answer.
  public static func assistant(_ text: String) -> ChatMessage {
    ChatMessage(role: .assistant, text: text)
  }
  /// What a tool returned.
  public static func tool(_ text: String, answering callID: String) -> ChatMessage {
    ChatMessage(role: .tool, text: text, toolCallID: callID)
  }
}

/// A function that a model may call.
public struct ChatTool: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// What it does, for the model to read.
  public var description: String
  /// The JSON schema of its arguments.
  public var parameters: SendableValue

  /// A tool.
  public init(
    name: String, description: String,
    parameters: SendableValue = ["type": "object", "properties": [:]]
  ) {
    self.name = name
    self.description = description
    self.parameters = parameters
  }
}

/// Whether a model calls tools.
public enum ChatToolChoice: Sendable, Hashable {
  /// As it sees fit.
  case automatic
  /// Not at all.
  case none
  /// At least one.
  case required
  /// The named one.
  case tool(String)
}

/// A model's call of a tool.
public struct ChatToolCall: Sendable, Hashable, Codable {
  /// The call's name, for the answer.
  public var id: String
  /// The tool's name.
  public var name: String
  /// The arguments as JSON, as the model wrote them.
  public var arguments: String

  /// A call.
  public init(id: String, name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

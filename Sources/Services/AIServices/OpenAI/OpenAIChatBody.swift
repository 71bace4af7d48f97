/// The body of a chat request.
struct OpenAIChatBody: Encodable, Sendable {
  struct Message: Encodable {
    var role: String
    var content: String?
    var toolCalls: [SendableValue]?
    var toolCallID: String?

    enum CodingKeys: String, CodingKey {
      case role, content
      case toolCalls = "tool_calls"
      case toolCallID = "tool_call_id"
    }
  }

  var model: String?
  var messages: [Message]
  var temperature: Double?
  var topP: Double?
  var maxTokens: Int?
  var maxCompletionTokens: Int?
  var stop: [String]?
  var tools: [SendableValue]?
  var toolChoice: SendableValue?
  var responseFormat: SendableValue?
  var stream: Bool?
  var streamOptions: SendableValue?

  enum CodingKeys: String, CodingKey {
    case model, messages, temperature, stop, tools, stream
    case topP = "top_p"
    case maxTokens = "max_tokens"
    case maxCompletionTokens = "max_completion_tokens"
    case toolChoice = "tool_choice"
    case responseFormat = "response_format"
    case streamOptions = "stream_options"
  }

  init(_ request: ChatRequest, configuration: OpenAIConfiguration) {
    let model = request.model ?? configuration.chatModel
    self.model = model.isEmpty ? nil : model
    messages = request.messages.map(Message.init)
    temperature = request.temperature
    topP = request.topP
    if configuration.usesMaxCompletionTokens {
      maxCompletionTokens = request.maxTokens
    } else {
      maxTokens = request.maxTokens
    }
    stop = request.stop.isEmpty ? nil : request.stop
    tools = request.tools.isEmpty ? nil : request.tools.map(Self.wire)
    toolChoice = request.toolChoice.map(Self.wire)
    responseFormat = request.responseSchema.map {
      ["type": "json_schema", "json_schema": ["name": "reply", "strict": true, "schema": $0]]
    }
    stream = request.streams ? true : nil
    streamOptions = request.streams && configuration.asksForUsage ? ["include_usage": true] : nil
  }

  private static func wire(_ tool: ChatTool) -> SendableValue {
    [
      "type": "function",
      "function": [
        "name": .string(tool.name), "description": .string(tool.description),
        "parameters": tool.parameters,
      ],
    ]
  }

  private static func wire(_ choice: ChatToolChoice) -> SendableValue {
    switch choice {
    case .automatic: "auto"
    case .none: "none"
    case .required: "required"
    case .tool(let name): ["type": "function", "function": ["name": .string(name)]]
    }
  }
}

extension OpenAIChatBody.Message {
  init(_ message: ChatMessage) {
    role = message.role.rawValue
    // The content of an assistant that only calls tools is `null` here, not an empty string.
    content = message.text.isEmpty && !message.toolCalls.isEmpty ? nil : message.text
    toolCallID = message.toolCallID
    if !message.toolCalls.isEmpty {
      toolCalls = message.toolCalls.map {
        [
          "id": .string($0.id), "type": "function",
          "function": ["name": .string($0.name), "arguments": .string($0.arguments)],
        ]
      }
    }
  }
}

import Foundation

/// The body of a request to the Messages API.
struct AnthropicBody: Encodable, Sendable {
  struct Message: Encodable {
    var role: String
    var content: [SendableValue]
  }

  var model: String
  var maxTokens: Int
  var messages: [Message] = []
  var system: String?
  var temperature: Double?
  var topP: Double?
  var stopSequences: [String]?
  var tools: [SendableValue]?
  var toolChoice: SendableValue?
  var outputConfig: SendableValue?
  var stream = true

  enum CodingKeys: String, CodingKey {
    case model, messages, system, temperature, tools, stream
    case maxTokens = "max_tokens"
    case topP = "top_p"
    case stopSequences = "stop_sequences"
    case toolChoice = "tool_choice"
    case outputConfig = "output_config"
  }

  init(_ request: ChatRequest, configuration: AnthropicConfiguration) {
    model = request.model ?? configuration.model
    stream = request.streams
    maxTokens = request.maxTokens ?? configuration.maxTokens
    // System messages are a separate member here, and only the roles user and assistant exist.
    let rules = request.messages.filter { $0.role == .system }.map(\.text)
    system = rules.isEmpty ? nil : rules.joined(separator: "\n\n")
    for message in request.messages where message.role != .system { append(message) }
    temperature = request.temperature
    topP = request.topP
    stopSequences = request.stop.isEmpty ? nil : request.stop
    tools =
      request.tools.isEmpty
      ? nil
      : request.tools.map {
        [
          "name": .string($0.name), "description": .string($0.description),
          "input_schema": $0.parameters,
        ]
      }
    toolChoice = request.toolChoice.map(Self.wire)
    outputConfig = request.responseSchema.map {
      ["format": ["type": "json_schema", "schema": $0]]
    }
  }

  /// Adds a message. Adjacent messages of one role are merged, because the results of several tools
  /// belong together.
  private mutating func append(_ message: ChatMessage) {
    var blocks: [SendableValue] = []
    if message.role == .tool {
      blocks.append([
        "type": "tool_result", "tool_use_id": .string(message.toolCallID ?? ""),
        "content": .string(message.text),
      ])
    } else {
      if !message.text.isEmpty { blocks.append(["type": "text", "text": .string(message.text)]) }
      blocks += message.toolCalls.map {
        [
          "type": "tool_use", "id": .string($0.id), "name": .string($0.name),
          "input": Self.value(of: $0.arguments),
        ]
      }
    }
    let role = message.role == .assistant ? "assistant" : "user"
    if messages.last?.role == role {
      messages[messages.count - 1].content += blocks
    } else {
      messages.append(Message(role: role, content: blocks))
    }
  }

  private static func value(of arguments: String) -> SendableValue {
    (try? JSONDecoder().decode(SendableValue.self, from: Data(arguments.utf8))) ?? [:]
  }

  private static func wire(_ choice: ChatToolChoice) -> SendableValue {
    switch choice {
    case .automatic: ["type": "auto"]
    case .none: ["type": "none"]
    case .required: ["type": "any"]
    case .tool(let name): ["type": "tool", "name": .string(name)]
    }
  }
}

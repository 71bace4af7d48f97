import Foundation

/// Assembles a message from events or from a complete response.
struct AnthropicAssembler: ReplyAssembler {
  private struct WireEvent: Decodable {
    struct Delta: Decodable {
      var type: String?
      var text: String?
      var partialJSON: String?
      var stopReason: String?
      var stopDetails: SendableValue?

      enum CodingKeys: String, CodingKey {
        case type, text
        case partialJSON = "partial_json"
        case stopReason = "stop_reason"
        case stopDetails = "stop_details"
      }
    }

    var type: String
    var index: Int?
    var message: Message?
    var contentBlock: Block?
    var delta: Delta?
    var usage: Usage?

    enum CodingKeys: String, CodingKey {
      case type, index, message, delta, usage
      case contentBlock = "content_block"
    }
  }

  private struct Message: Decodable {
    var content: [Block]?
    var stopReason: String?
    var usage: Usage?

    enum CodingKeys: String, CodingKey {
      case content, usage
      case stopReason = "stop_reason"
    }
  }

  private struct Block: Decodable {
    var type: String
    var text: String?
    var id: String?
    var name: String?
    var input: SendableValue?
  }

  private struct Usage: Decodable {
    var inputTokens: Int?
    var outputTokens: Int?

    enum CodingKeys: String, CodingKey {
      case inputTokens = "input_tokens"
      case outputTokens = "output_tokens"
    }
  }

  let client: ServiceClient
  let model: String
  private var openCalls: [Int: ChatToolCall] = [:]
  private var stopReason: String?
  private var refusal: String?
  private var usage = ServiceUsage()
  private(set) var isComplete = false

  init(client: ServiceClient, model: String) {
    self.client = client
    self.model = model
  }

  mutating func take(_ event: ServerSentEvent) throws(AIServiceError) -> [ChatEvent] {
    let event = try client.decode(WireEvent.self, from: Data(event.data.utf8))
    switch event.type {
    case "message_start":
      note(event.message?.usage)
      return []
    case "content_block_start":
      guard let block = event.contentBlock else { return [] }
      if block.type == "tool_use" {
        openCalls[event.index ?? 0] = ChatToolCall(
          id: block.id ?? "", name: block.name ?? "", arguments: "")
      }
      return text(block.type == "text" ? block.text : nil)
    case "content_block_delta":
      openCalls[event.index ?? 0]?.arguments += event.delta?.partialJSON ?? ""
      return text(event.delta?.type == "text_delta" ? event.delta?.text : nil)
    case "content_block_stop":
      guard var call = openCalls.removeValue(forKey: event.index ?? 0) else { return [] }
      if call.arguments.isEmpty { call.arguments = "{}" }
      return [.toolCall(call)]
    case "message_delta":
      stopReason = event.delta?.stopReason ?? stopReason
      refusal = event.delta?.stopDetails?.dictionaryValue?["explanation"]?.stringValue ?? refusal
      note(event.usage)
      return []
    case "message_stop":
      isComplete = true
      return []
    default:
      return []
    }
  }

  mutating func take(whole answer: Data) throws(AIServiceError) -> [ChatEvent] {
    let message = try client.decode(Message.self, from: answer)
    guard let content = message.content else {
      throw .unexpectedResponseFormat(
        "\(client.name) returned no content. Check the address; it may belong to another "
          + "service.")
    }
    note(message.usage)
    stopReason = message.stopReason
    isComplete = true
    return content.flatMap { block -> [ChatEvent] in
      switch block.type {
      case "text": return text(block.text)
      case "tool_use":
        return [
          .toolCall(
            ChatToolCall(
              id: block.id ?? "", name: block.name ?? "",
              arguments: (block.input ?? [:]).json))
        ]
      default: return []
      }
    }
  }

  mutating func finish() -> [ChatEvent]? {
    guard isComplete else { return nil }
    usage.requests = 1
    client.record(usage, model: model)
    return [.usage(usage), .finished(finishMark)]
  }

  private func text(_ text: String?) -> [ChatEvent] {
    guard let text, !text.isEmpty else { return [] }
    return [.text(text)]
  }

  /// The counts in a stream are running totals, so the last one is final.
  private mutating func note(_ told: Usage?) {
    usage.inputTokens = told?.inputTokens ?? usage.inputTokens
    usage.outputTokens = told?.outputTokens ?? usage.outputTokens
  }

  private var finishMark: ChatFinish {
    switch stopReason {
    case nil, "end_turn", "stop_sequence": .complete
    case "max_tokens", "model_context_window_exceeded": .length
    case "tool_use": .toolCalls
    case "refusal": .refused(refusal ?? "The model declined.")
    case .some(let reason): .other(reason)
    }
  }
}

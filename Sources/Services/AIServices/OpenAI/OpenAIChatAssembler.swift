import Foundation

/// Assembles a chat answer from events or from a complete response.
struct OpenAIChatAssembler: ReplyAssembler {
  private struct Answer: Decodable {
    var choices: [Choice]?
    var usage: Usage?
  }

  private struct Choice: Decodable {
    /// The next piece of a streamed answer.
    var delta: Message?
    /// The message of a complete answer.
    var message: Message?
    var finishReason: String?

    enum CodingKeys: String, CodingKey {
      case delta, message
      case finishReason = "finish_reason"
    }
  }

  private struct Message: Decodable {
    var content: String?
    var refusal: String?
    var toolCalls: [ToolCall]?

    enum CodingKeys: String, CodingKey {
      case content, refusal
      case toolCalls = "tool_calls"
    }
  }

  private struct ToolCall: Decodable {
    struct Function: Decodable {
      var name: String?
      var arguments: String?
    }

    var index: Int?
    var id: String?
    var function: Function?
  }

  private struct Usage: Decodable {
    var promptTokens: Int?
    var completionTokens: Int?

    enum CodingKeys: String, CodingKey {
      case promptTokens = "prompt_tokens"
      case completionTokens = "completion_tokens"
    }
  }

  let client: ServiceClient
  let model: String
  private var calls: [Int: ChatToolCall] = [:]
  private var refusal = ""
  private var finishReason: String?
  private var usage: ServiceUsage?
  private(set) var isComplete = false

  init(client: ServiceClient, model: String) {
    self.client = client
    self.model = model
  }

  mutating func take(_ event: ServerSentEvent) throws(AIServiceError) -> [ChatEvent] {
    guard event.data != "[DONE]" else {
      isComplete = true
      return []
    }
    return read(try client.decode(Answer.self, from: Data(event.data.utf8)))
  }

  mutating func take(whole answer: Data) throws(AIServiceError) -> [ChatEvent] {
    let answer = try client.decode(Answer.self, from: answer)
    guard answer.choices?.first != nil else {
      throw .unexpectedResponseFormat(
        "\(client.name) returned no message. Check the address; it may belong to another "
          + "service.")
    }
    finishReason = "stop"
    return read(answer)
  }

  mutating func finish() -> [ChatEvent]? {
    guard isComplete || finishReason != nil else { return nil }
    var events = calls.sorted { $0.key < $1.key }.map { ChatEvent.toolCall($0.value) }
    var usage = usage ?? ServiceUsage()
    usage.requests = 1
    client.record(usage, model: model)
    if self.usage != nil { events.append(.usage(usage)) }
    events.append(.finished(finishMark))
    return events
  }

  private mutating func read(_ answer: Answer) -> [ChatEvent] {
    if let told = answer.usage {
      usage = ServiceUsage(
        inputTokens: told.promptTokens ?? 0, outputTokens: told.completionTokens ?? 0)
    }
    guard let choice = answer.choices?.first else { return [] }
    finishReason = choice.finishReason ?? finishReason
    guard let message = choice.delta ?? choice.message else { return [] }
    refusal += message.refusal ?? ""
    for (position, call) in (message.toolCalls ?? []).enumerated() {
      let index = call.index ?? position
      var known = calls[index] ?? ChatToolCall(id: "", name: "", arguments: "")
      known.id = call.id ?? known.id
      known.name += call.function?.name ?? ""
      known.arguments += call.function?.arguments ?? ""
      calls[index] = known
    }
    guard let text = message.content, !text.isEmpty else { return [] }
    return [.text(text)]
  }

  private var finishMark: ChatFinish {
    if !refusal.isEmpty { return .refused(refusal) }
    switch finishReason {
    case nil, "stop": return calls.isEmpty ? .complete : .toolCalls
    case "length": return .length
    case "tool_calls", "function_call": return .toolCalls
    case "content_filter": return .refused("The service's filter for content stopped the answer.")
    case .some(let reason): return .other(reason)
    }
  }
}

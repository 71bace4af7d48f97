import AIServices

extension Connector {
  /// The maximum number of output tokens under a spending cap, unless the connector sets one.
  static let outputTokensUnderCap = 1_024

  /// Returns the request for an action's prompt.
  ///
  /// - Parameter rules: The system prompt, which follows the connector's own instructions.
  func request(
    prompt: String, rules: String, for action: TextAction
  ) -> ChatRequest {
    var systemParts = [rules] + action.formatting
    if action.output == .markdown { systemParts.append("Answer in Markdown.") }
    if let schema = action.output.schema, !enforcesSchemas {
      systemParts.append(
        "Answer only with JSON that follows this JSON schema: "
          + schema.json)
    }
    let system = systemParts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    var request = ChatRequest(
      messages: (system.isEmpty ? [] : [.system(system)]) + [.user(prompt)])
    request.retries = action.routing.retries
    if action.routing.spendingCap != nil, maxTokens == nil {
      request.maxTokens = Self.outputTokensUnderCap
    }
    if kind != .llmSocket { request.responseSchema = action.output.schema }
    return settled(request)
  }

  /// Returns the request as this connector sends it: its instructions precede all others, and its
  /// settings fill in what the request leaves open.
  func settled(_ request: ChatRequest) -> ChatRequest {
    var request = request
    if !instructions.isEmpty {
      if let first = request.messages.first, first.role == .system {
        request.messages[0].text = instructions + "\n\n" + first.text
      } else {
        request.messages.insert(.system(instructions), at: 0)
      }
    }
    request.maxTokens = request.maxTokens ?? maxTokens
    request.temperature = request.temperature ?? temperature
    request.streams = request.streams && streams
    if kind != .llmSocket { request.topP = request.topP ?? topP }
    switch kind {
    case .llmSocket, .onDevice: if !model.isEmpty { request.model = request.model ?? model }
    // The model is configured with the service.
    case .openAICompatible, .azure, .anthropic: break
    }
    return request
  }

  /// Returns the maximum cost of a request; `nil` if it is unknown.
  ///
  /// The estimate is an upper bound: a token has at least one byte of text, and services add a few
  /// tokens per message.
  func maximumCost(of request: ChatRequest) -> Double? {
    guard let price else { return isFree ? 0 : nil }
    let bytes = request.messages.reduce(512) { $0 + $1.text.utf8.count + 64 }
    let schema = request.responseSchema.map { $0.json.utf8.count * 2 } ?? 0
    let sent = Double(bytes + schema) * price.input
    let answered = Double(request.maxTokens ?? 128_000) * price.output
    return (sent + answered) / 1_000_000
  }

  /// Returns the probable cost of a request without token counts; `nil` without a price.
  ///
  /// A token has about four bytes of text in European languages, and services add a few tokens per
  /// message.
  func estimatedCost(of request: ChatRequest, answer: String) -> Double? {
    guard let price else { return nil }
    let schema = request.responseSchema?.json.utf8.count ?? 0
    let bytes = request.messages.reduce(schema) { $0 + $1.text.utf8.count }
    let sent = Double(bytes) / 4 + Double(4 * request.messages.count)
    return (sent * price.input + Double(answer.utf8.count) / 4 * price.output) / 1_000_000
  }

  /// Returns the cost of an answer by the service's token counts; `nil` if it reported none.
  func cost(of usage: ServiceUsage) -> Double? {
    guard let price else { return nil }
    guard usage.inputTokens > 0 || usage.outputTokens > 0 else { return nil }
    return (Double(usage.inputTokens) * price.input + Double(usage.outputTokens) * price.output)
      / 1_000_000
  }

  /// True for a service on this machine, which costs nothing.
  private var isFree: Bool {
    switch kind {
    case .onDevice: true
    case .openAICompatible, .azure, .anthropic, .llmSocket:
      ServiceEndpoint(baseURL: resolvedBaseURL).isLoopback
    }
  }
}

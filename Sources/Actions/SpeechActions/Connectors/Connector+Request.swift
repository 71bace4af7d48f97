import AIServices

extension Connector {
  /// The most tokens of an answer that has to be paid from a limited sum, unless the connector says how many.
  static let answerTokensUnderCap = 1_024

  /// The request for an action's prompt.
  ///
  /// - Parameters:
  ///   - rules: what the model is told beforehand, below the connector's own instructions.
  func request(
    prompt: String, rules: String, for action: TextAction
  ) -> ChatRequest {
    var told = [rules] + action.formatting
    if action.output == .markdown { told.append("Answer in Markdown.") }
    if let schema = action.output.schema, !enforcesSchemas {
      told.append(
        "Answer with JSON alone, without any other words, that follows this JSON schema: "
          + schema.json())
    }
    let system = told.filter { !$0.isEmpty }.joined(separator: "\n\n")
    var request = ChatRequest(
      messages: (system.isEmpty ? [] : [.system(system)]) + [.user(prompt)])
    request.retries = action.routing.retries
    if action.routing.spendingCap != nil, maxTokens == nil {
      request.maxTokens = Self.answerTokensUnderCap
    }
    if kind != .llmSocket { request.responseSchema = action.output.schema }
    return settled(request)
  }

  /// The request as this connector sends it: with its instructions above all other rules, and its own settings
  /// for what the request leaves open.
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
    // Configured with the service.
    case .openAICompatible, .azure, .anthropic: break
    }
    return request
  }

  /// The most that the request can cost; `nil` when that cannot be told.
  ///
  /// A token is at least a byte of text, and what services add to a message is a few of them.
  func mostCost(of request: ChatRequest) -> Double? {
    guard let price else { return isFree ? 0 : nil }
    let bytes = request.messages.reduce(512) { $0 + $1.text.utf8.count + 64 }
    let schema = request.responseSchema.map { $0.json().utf8.count * 2 } ?? 0
    let sent = Double(bytes + schema) * price.input
    let answered = Double(request.maxTokens ?? 128_000) * price.output
    return (sent + answered) / 1_000_000
  }

  /// What an answer cost by the service's own counts; `nil` when it told none.
  func cost(of usage: ServiceUsage) -> Double? {
    guard let price else { return nil }
    guard usage.inputTokens > 0 || usage.outputTokens > 0 else { return nil }
    return (Double(usage.inputTokens) * price.input + Double(usage.outputTokens) * price.output)
      / 1_000_000
  }

  /// Whether nobody sends a bill: what runs on this machine.
  private var isFree: Bool {
    switch kind {
    case .onDevice: true
    case .openAICompatible, .azure, .anthropic, .llmSocket:
      ServiceEndpoint(baseURL: resolvedBaseURL).isLoopback
    }
  }
}

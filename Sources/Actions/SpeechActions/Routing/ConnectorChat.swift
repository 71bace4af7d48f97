import AIServices

/// A connector as a chat: with messages, rules and tools, its own settings, and what it took noted as it is for
/// runs of actions.
///
/// ```swift
/// let chat = runner.chat(with: try configuration.connector("work"))
/// let reply = try await chat.reply(to: ChatRequest("Good morning."))
/// ```
/// What a request leaves open (most tokens, temperature, …) is as the connector says, and its instructions stand
/// above the request's rules. What its service does not have, such as tools over the LLM socket, is refused.
public struct ConnectorChat: ChatService {
  /// The connector.
  public let connector: Connector
  private let runner: ActionRunner

  init(_ connector: Connector, runner: ActionRunner) {
    self.connector = connector
    self.runner = runner
  }

  /// The connector's id.
  public var id: String { connector.id }
  /// The connector's name.
  public var displayName: String { connector.name }
  /// Text from text.
  public var capabilities: [AICapability] { [.textGeneration] }
  /// Whether the connector names a key.
  public var requiresAPIKey: Bool { connector.keyName != nil }
  /// Text.
  public var responseType: ResponseContent.ContentType { .text }

  /// - Throws: `AIServiceError.configurationError` for a connector that is switched off.
  public func validateConfiguration() throws {
    guard connector.isActive else {
      throw AIServiceError.configurationError("The connector “\(connector.id)” is switched off.")
    }
  }

  /// Answers the prompt.
  ///
  /// Parameters: `system`, `model`, `max_tokens`, `temperature` (0 to 2), `top_p` (0 to 1) and `stop`.
  public func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    await generate(prompt: prompt, parameters: parameters, temperature: 0...2)
  }

  /// Continues the conversation.
  public func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error> {
    let steps = NotedChat(self, connector.settled(request), runner)
    return AsyncThrowingStream { try await steps.next() }
  }
}

extension Connector {
  /// Whether models behind it can call functions of the program.
  public var takesTools: Bool {
    switch kind {
    case .openAICompatible, .azure, .anthropic: true
    case .llmSocket, .onDevice: false
    }
  }
}

extension ActionRunner {
  /// The connector as a chat, with this runner's connections, limits and health.
  public nonisolated func chat(with connector: Connector) -> ConnectorChat {
    ConnectorChat(connector, runner: self)
  }
}

/// An answer of which the runner's records get to know.
private actor NotedChat {
  private enum Phase {
    case waiting
    case reading(AsyncThrowingStream<ChatEvent, any Error>.Iterator)
    case over
  }

  private let chat: ConnectorChat
  private let request: ChatRequest
  private let runner: ActionRunner
  private var phase = Phase.waiting
  private var began = Duration.zero
  private var hasBegun = false
  private var usage = ServiceUsage()

  init(_ chat: ConnectorChat, _ request: ChatRequest, _ runner: ActionRunner) {
    self.chat = chat
    self.request = request
    self.runner = runner
  }

  func next() async throws -> ChatEvent? {
    do {
      if case .waiting = phase { try await begin() }
      guard case .reading(var events) = phase else { return nil }
      guard let event = try await events.next(isolation: self) else {
        try Task.checkCancellation()
        phase = .over
        await succeed()
        return nil
      }
      phase = .reading(events)
      switch event {
      case .text: await noteBeginning()
      case .usage(let told): usage = told
      case .toolCall, .finished: break
      }
      return event
    } catch {
      phase = .over
      throw await failure(error)
    }
  }

  private func begin() async throws {
    try chat.validateConfiguration()
    let service = try await runner.service(for: chat.connector)
    began = runner.clock.now()
    phase = .reading(service.answer(to: request).makeAsyncIterator())
  }

  /// At once, because an answer that is broken off began as quickly as others.
  private func noteBeginning() async {
    guard !hasBegun else { return }
    hasBegun = true
    let time = runner.clock.now() - began
    await runner.note(chat.connector) { $0.noteBeginning(after: time) }
  }

  private func succeed() async {
    let latency = runner.clock.now() - began
    let cost = chat.connector.cost(of: usage)
    await runner.note(chat.connector) { $0.noteSuccess(latency: latency, cost: cost) }
    runner.records.saveSoon()
  }

  /// What went wrong, in the words of services.
  private func failure(_ error: any Error) async -> any Error {
    if error is CancellationError || Task.isCancelled { return CancellationError() }
    let known = ActionError(running: error)
    await runner.note(chat.connector) { $0.noteFailure(known, cost: nil) }
    runner.records.saveSoon()
    if case .service(let error) = known { return error }
    return AIServiceError.configurationError(known.localizedDescription)
  }
}

import AIServices

/// A connector as a chat service with messages, system prompts and tools. It uses the connector's
/// settings, and its requests count in the connector's health as those of actions do.
///
/// ```swift
/// let chat = runner.chat(with: try configuration.connector("work"))
/// let reply = try await chat.reply(to: ChatRequest("Good morning."))
/// ```
/// The connector's settings fill in what a request leaves open, and its instructions precede the
/// request's system prompt. Features that the service lacks, such as tools over the LLM socket, are
/// refused.
public struct ConnectorChat: ChatService {
  /// The connector that answers.
  public let connector: Connector
  private let runner: ActionRunner

  init(_ connector: Connector, runner: ActionRunner) {
    self.connector = connector
    self.runner = runner
  }

  /// The id of the connector.
  public var id: String { connector.id }
  /// The name of the connector on screens.
  public var displayName: String { connector.name }
  /// The service generates text from text.
  public var capabilities: [AICapability] { [.textGeneration] }
  /// True if the connector has a key.
  public var requiresAPIKey: Bool { connector.keyName != nil }
  /// The type of responses, which is text.
  public var responseType: ResponseContent.ContentType { .text }

  /// - Throws: `AIServiceError.configurationError` for a connector that is disabled.
  public func validateConfiguration() throws {
    guard connector.isActive else {
      throw AIServiceError.configurationError("The connector “\(connector.id)” is disabled.")
    }
  }

  /// Answers a prompt.
  ///
  /// Parameters: `system`, `model`, `max_tokens`, `temperature` (0 to 2), `top_p` (0 to 1) and
  /// `stop`.
  public func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    await generate(prompt: prompt, parameters: parameters, temperature: 0...2)
  }

  /// Returns the next message of a conversation as events.
  public func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error> {
    let steps = RecordedChat(self, connector.settled(request), runner)
    return AsyncThrowingStream { try await steps.next() }
  }
}

extension Connector {
  /// True if the service's models can call functions of the program.
  public var takesTools: Bool {
    switch kind {
    case .openAICompatible, .azure, .anthropic: true
    case .llmSocket, .onDevice: false
    }
  }
}

extension ActionRunner {
  /// Returns the connector as a chat service, with this runner's connections, limits and health
  /// records.
  public nonisolated func chat(with connector: Connector) -> ConnectorChat {
    ConnectorChat(connector, runner: self)
  }
}

/// An answer that is recorded in the runner's health records.
private actor RecordedChat {
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

  /// Records the time to the first token immediately, because an answer that is cancelled later
  /// counts too.
  private func noteBeginning() async {
    guard !hasBegun else { return }
    hasBegun = true
    let time = runner.clock.now() - began
    await runner.records.note(chat.connector) { $0.noteBeginning(after: time) }
  }

  private func succeed() async {
    let latency = runner.clock.now() - began
    let cost = chat.connector.cost(of: usage)
    await runner.records.note(chat.connector) { $0.noteSuccess(latency: latency, cost: cost) }
    runner.records.saveSoon()
  }

  /// Returns the error as an error of a service.
  private func failure(_ error: any Error) async -> any Error {
    if error is CancellationError || Task.isCancelled { return CancellationError() }
    let known = ActionError(running: error)
    await runner.records.note(chat.connector) { $0.noteFailure(known, cost: nil) }
    runner.records.saveSoon()
    if case .service(let error) = known { return error }
    return AIServiceError.configurationError(known.localizedDescription)
  }
}

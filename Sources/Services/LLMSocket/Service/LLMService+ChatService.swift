import AIServices
import Foundation

extension LLMService: ChatService {
  /// The identifier of the provider, `llm-socket`.
  public var id: String { "llm-socket" }
  /// The name of the provider, `LLM Socket`.
  public var displayName: String { "LLM Socket" }
  /// The capabilities: text generation only.
  public var capabilities: [AICapability] { [.textGeneration] }
  /// Always false: the service holds the keys of its providers.
  public var requiresAPIKey: Bool { false }
  /// The type of responses: always text.
  public var responseType: ResponseContent.ContentType { .text }

  /// Checks the address.
  ///
  /// - Throws: `AIServiceError.configurationError` if the address is not valid.
  public func validateConfiguration() throws {
    do {
      _ = try WebSocketRequest(configuration.url).checkedHost()
    } catch {
      throw AIServiceError.configurationError(ConnectionKeeper.text(of: error))
    }
  }

  /// Generates a text.
  ///
  /// - Parameter parameters: `model`, `temperature`, `max_tokens`, and `options` with further ones.
  public func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    do {
      let (model, options) = try Self.read(parameters)
      return .success(.text(try await generateText(prompt, model: model, options: options)))
    } catch let error as LLMError {
      return .failure(AIServiceError(error))
    } catch {
      return .failure(.networkError("The request was cancelled."))
    }
  }

  private static func read(
    _ parameters: [String: Any]
  ) throws -> (model: String?, options: LLMOptions) {
    var model: String?
    var wire: [String: Any] = [:]
    for (name, value) in parameters {
      switch (name, value) {
      case ("model", let value as String): model = value
      case ("options", let value as [String: Any]): wire.merge(value) { one, _ in one }
      case ("temperature", _), ("max_tokens", _): wire[name] = value
      case ("model", _), ("options", _):
        throw LLMError(
          .invalidRequest, "The parameter \(name) cannot be of type \(type(of: value)).")
      default:
        throw LLMError(
          .invalidRequest,
          "The parameter \(name) is unknown. Use model, temperature, max_tokens or options."
        )
      }
    }
    return (model, try LLMOptions(wire))
  }

  /// Continues a conversation. The service takes a single prompt, so the messages are joined as
  /// lines; a single question is sent unchanged. The answer arrives in one piece.
  public func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error> {
    let steps = ChatSteps { try await self.answer(request) }
    return AsyncThrowingStream { try await steps.next() }
  }

  private func answer(_ request: ChatRequest) async throws -> String {
    guard request.tools.isEmpty, request.toolChoice == nil, request.responseSchema == nil,
      request.topP == nil, request.stop.isEmpty
    else {
      throw AIServiceError.invalidRequest(
        "This service does not support tools, schemas, top-p or stop sequences. Omit them.")
    }
    do {
      return try await generateText(
        Self.prompt(of: request.messages), model: request.model,
        options: LLMOptions(
          temperature: request.temperature, maxTokens: request.maxTokens, extra: request.extra))
    } catch let error as LLMError {
      throw AIServiceError(error)
    }
  }

  static func prompt(of messages: [ChatMessage]) -> String {
    if messages.count == 1, let only = messages.first, only.role == .user { return only.text }
    let lines = messages.map { message in
      let speaker =
        switch message.role {
        case .system: "System"
        case .user: "User"
        case .assistant: "Assistant"
        case .tool: "Tool"
        }
      return "\(speaker): \(message.text)"
    }
    return (lines + ["Assistant:"]).joined(separator: "\n")
  }
}

/// The events of an answer that arrives in one piece.
private actor ChatSteps {
  private var answer: (@Sendable () async throws -> String)?
  private var rest: [ChatEvent] = []

  init(_ answer: @escaping @Sendable () async throws -> String) {
    self.answer = answer
  }

  func next() async throws -> ChatEvent? {
    if let answer {
      self.answer = nil
      let text = try await answer()
      rest = [.text(text), .usage(ServiceUsage(requests: 1)), .finished(.complete)]
    }
    return rest.isEmpty ? nil : rest.removeFirst()
  }
}

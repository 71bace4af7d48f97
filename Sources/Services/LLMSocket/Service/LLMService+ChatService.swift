import AIServices
import Foundation

extension LLMService: ChatService {
  /// `llm-socket`.
  public var id: String { "llm-socket" }
  /// `LLM Socket`.
  public var displayName: String { "LLM Socket" }
  /// Text from text.
  public var capabilities: [AICapability] { [.textGeneration] }
  /// The service has the keys; we need none of its providers'.
  public var requiresAPIKey: Bool { false }
  /// Text.
  public var responseType: ResponseContent.ContentType { .text }

  /// - Throws: `AIServiceError.configurationError` when the address is none that can be connected to.
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
          "The parameter \(name) is not known. There are model, temperature, max_tokens and options."
        )
      }
    }
    return (model, try LLMOptions(wire))
  }

  /// Continues the conversation. The service takes one prompt, so the messages are written out one below the
  /// other; a single question goes as it is. The answer comes in one piece.
  public func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error> {
    let steps = ChatSteps { try await self.answer(request) }
    return AsyncThrowingStream { try await steps.next() }
  }

  private func answer(_ request: ChatRequest) async throws -> String {
    guard request.tools.isEmpty, request.toolChoice == nil, request.responseSchema == nil,
      request.topP == nil, request.stop.isEmpty
    else {
      throw AIServiceError.invalidRequest(
        "This service knows neither tools, schemas, top-p nor stop texts. Leave them out.")
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

/// The events of an answer that comes in one piece.
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

import Foundation

/// OpenAI, and every server that speaks its language: chat, vectors, speech, transcription.
///
/// ```swift
/// let provider = OpenAIProvider()
/// for try await event in provider.chat(ChatRequest("Tell me a joke.")) {
///   if case .text(let piece) = event { show(piece) }
/// }
/// ```
/// Other servers are spoken to with another configuration:
/// `OpenAIProvider(configuration: .ollama(model: "llama3.2"))`.
public final class OpenAIProvider: ServiceClientProvider {
  /// OpenAI's address.
  public static let defaultBaseURL = "https://api.openai.com/v1"

  /// Which server it is and what is particular about it.
  public let configuration: OpenAIConfiguration
  /// The door to the service; it tells of health and usage.
  public let client: ServiceClient

  /// A provider at that address, with the key that is stored for `openai`.
  public convenience init(
    credentialManager: AICredentialManager = .shared, baseURL: String = defaultBaseURL
  ) {
    self.init(
      configuration: OpenAIConfiguration(baseURL: baseURL), credentialManager: credentialManager)
  }

  /// A provider for any server of this kind.
  public init(
    configuration: OpenAIConfiguration, credentialManager: AICredentialManager = .shared,
    environment: ServiceEnvironment = .standard
  ) {
    self.configuration = configuration
    client = ServiceClient(
      name: configuration.displayName, endpoint: configuration.endpoint,
      key: .stored(
        for: configuration.id, in: credentialManager, isRequired: configuration.requiresKey),
      environment: environment, limits: configuration.limits,
      permanentCodes: [
        "insufficient_quota", "credit_balance_exhausted", "billing_hard_limit_reached",
        "spend_limit_reached", "usage_limit_reached",
      ], prices: configuration.prices, models: configuration.models)
  }

  /// A provider with everything shared.
  public static func shared() -> OpenAIProvider { OpenAIProvider() }

  /// The name it is registered under.
  public var id: String { configuration.id }
  /// Text, program text, structured data, vectors, speech and transcription.
  public let capabilities: [AICapability] = [
    .textGeneration, .codeGeneration, .structuredData, .embeddings, .audioGeneration,
    .transcription,
  ]
  /// Text.
  public let responseType = ResponseContent.ContentType.text

  /// Answers the prompt.
  ///
  /// Parameters: `model`, `temperature` (0 to 2, by default 0.7), `max_tokens`, `top_p`, `system`, `stop`.
  public func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    await generate(prompt: prompt, parameters: parameters, temperature: 0...2, default: 0.7)
  }
}

extension OpenAIProvider: AccessCheck {
  /// Asks for the list of models, which costs nothing.
  package func checkAccess() async throws {
    _ = try await client.data(for: .get("models"))
  }
}

extension OpenAIProvider: ChatService {
  /// Continues the conversation.
  public func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error> {
    let model = request.model ?? configuration.chatModel
    return StreamedReply.events(
      of: client, assembler: OpenAIChatAssembler(client: client, model: model)
    ) { [self] in
      request.marked(
        try ServiceCall.post(
          "chat/completions",
          json: JSONBody(
            body: OpenAIChatBody(request, configuration: configuration), extra: request.extra),
          model: model))
    }
  }
}

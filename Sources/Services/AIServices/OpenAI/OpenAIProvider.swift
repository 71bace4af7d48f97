import Foundation

/// A provider for OpenAI and compatible servers: chat, embeddings, speech and transcription.
///
/// ```swift
/// let provider = OpenAIProvider()
/// for try await event in provider.chat(ChatRequest("Tell me a joke.")) {
///   if case .text(let piece) = event { show(piece) }
/// }
/// ```
/// Other servers use another configuration: `OpenAIProvider(configuration: .ollama(model:
/// "llama3.2"))`.
public final class OpenAIProvider: ServiceClientProvider {
  /// The address of OpenAI's API.
  public static let defaultBaseURL = "https://api.openai.com/v1"

  /// The configuration of the server.
  public let configuration: OpenAIConfiguration
  /// The client of the server, which reports its health and usage.
  public let client: ServiceClient

  /// Creates a provider with the key that is stored for `openai`.
  public convenience init(
    credentialManager: AICredentialManager = .shared, baseURL: String = defaultBaseURL
  ) {
    self.init(
      configuration: OpenAIConfiguration(baseURL: baseURL), credentialManager: credentialManager)
  }

  /// Creates a provider for any compatible server.
  public init(
    configuration: OpenAIConfiguration, credentialManager: AICredentialManager = .shared,
    environment: ServiceEnvironment = .standard
  ) {
    self.configuration = configuration
    client = ServiceClient(
      name: configuration.displayName, endpoint: configuration.endpoint,
      key: .stored(
        for: configuration.id, in: credentialManager, isRequired: configuration.requiresKey,
        format: configuration.keyFormat),
      environment: environment, limits: configuration.limits,
      permanentCodes: [
        "insufficient_quota", "credit_balance_exhausted", "billing_hard_limit_reached",
        "spend_limit_reached", "usage_limit_reached",
      ], prices: configuration.prices, models: configuration.models)
  }

  /// Creates a provider with the shared credentials and transport.
  public static func shared() -> OpenAIProvider { OpenAIProvider() }

  /// The identifier of the provider.
  public var id: String { configuration.id }
  /// Text, code and structured data. Speech, transcription and embeddings are requested through
  /// `SpeechService`, `TranscriptionService` and `EmbeddingService`.
  public let capabilities: [AICapability] = [.textGeneration, .codeGeneration, .structuredData]
  /// The type of responses without `response_schema`: text.
  public let responseType = ResponseContent.ContentType.text

  /// Answers a prompt.
  ///
  /// Parameters: `model`, `temperature` (0 to 2, default 0.7), `max_tokens`, `top_p`, `system`,
  /// `stop`, `response_schema` (the JSON schema of an object, which is then the content).
  public func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    await generate(prompt: prompt, parameters: parameters, temperature: 0...2, default: 0.7)
  }
}

extension OpenAIProvider: AccessCheck {
  /// Requests the list of models, which is free of charge.
  package func checkAccess() async throws {
    _ = try await client.data(for: .get("models"))
  }
}

extension OpenAIProvider: ChatService {
  /// Continues the conversation and streams the answer.
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

import Foundation

/// A provider for Anthropic's Messages API: chat with streaming and tools.
///
/// ```swift
/// let provider = AnthropicProvider()
/// let reply = try await provider.reply(to: ChatRequest("Why is the sky blue?"))
/// ```
public final class AnthropicProvider: ServiceClientProvider {
  /// The address of Anthropic's API.
  public static let defaultBaseURL = "https://api.anthropic.com"

  /// The configuration of the service.
  public let configuration: AnthropicConfiguration
  /// The client of the service, which reports its health and usage.
  public let client: ServiceClient

  /// Creates a provider with the key that is stored for `anthropic`.
  public convenience init(
    credentialManager: AICredentialManager = .shared, baseURL: String = defaultBaseURL
  ) {
    self.init(
      configuration: AnthropicConfiguration(baseURL: baseURL), credentialManager: credentialManager)
  }

  /// Creates a provider with a custom configuration.
  public init(
    configuration: AnthropicConfiguration, credentialManager: AICredentialManager = .shared,
    environment: ServiceEnvironment = .standard
  ) {
    self.configuration = configuration
    client = ServiceClient(
      name: configuration.displayName, endpoint: configuration.endpoint,
      key: .stored(
        for: configuration.id, in: credentialManager, isRequired: configuration.requiresKey,
        format: configuration.keyFormat),
      environment: environment, limits: configuration.limits,
      permanentCodes: ["enforced_spend_limit_reached", "billing_error"],
      prices: configuration.prices, models: configuration.models)
  }

  /// Creates a provider with the shared credentials and transport.
  public static func shared() -> AnthropicProvider { AnthropicProvider() }

  /// The identifier of the provider.
  public var id: String { configuration.id }
  /// Text, code and structured data.
  public let capabilities: [AICapability] = [.textGeneration, .codeGeneration, .structuredData]
  /// The type of responses without `response_schema`: text.
  public let responseType = ResponseContent.ContentType.text

  /// Answers a prompt.
  ///
  /// Parameters: `model`, `max_tokens` (default 1024), `temperature` (0 to 1), `top_p`, `system`,
  /// `stop`, `response_schema` (the JSON schema of an object, which is then the content).
  public func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    await generate(
      prompt: prompt, parameters: parameters, temperature: 0...1,
      maxTokens: configuration.maxTokens)
  }
}

extension AnthropicProvider: AccessCheck {
  /// Requests the list of models, which is free of charge.
  package func checkAccess() async throws {
    _ = try await client.data(for: .get("v1/models"))
  }
}

extension AnthropicProvider: ChatService {
  /// Continues the conversation and streams the answer.
  public func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error> {
    let model = request.model ?? configuration.model
    return StreamedReply.events(
      of: client, assembler: AnthropicAssembler(client: client, model: model)
    ) { [self] in
      guard configuration.knowsSampling || (request.temperature == nil && request.topP == nil)
      else {
        throw AIServiceError.invalidRequest(
          "This version of Anthropic's API does not support temperature and top_p. Omit them, "
            + "or configure version \(AnthropicConfiguration.defaultVersion).")
      }
      return request.marked(
        try ServiceCall.post(
          "v1/messages",
          json: JSONBody(
            body: AnthropicBody(request, configuration: configuration), extra: request.extra),
          model: model))
    }
  }
}

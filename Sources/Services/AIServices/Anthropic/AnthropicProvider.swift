import Foundation

/// Anthropic's Messages: chat with streaming and tools.
///
/// ```swift
/// let provider = AnthropicProvider()
/// let reply = try await provider.reply(to: ChatRequest("Why is the sky blue?"))
/// ```
public final class AnthropicProvider: ServiceClientProvider {
  /// Anthropic's address.
  public static let defaultBaseURL = "https://api.anthropic.com"

  /// What is particular about the service.
  public let configuration: AnthropicConfiguration
  /// The door to the service; it tells of health and usage.
  public let client: ServiceClient

  /// A provider at that address, with the key that is stored for `anthropic`.
  public convenience init(
    credentialManager: AICredentialManager = .shared, baseURL: String = defaultBaseURL
  ) {
    self.init(
      configuration: AnthropicConfiguration(baseURL: baseURL), credentialManager: credentialManager)
  }

  /// A provider with a configuration of its own.
  public init(
    configuration: AnthropicConfiguration, credentialManager: AICredentialManager = .shared,
    environment: ServiceEnvironment = .standard
  ) {
    self.configuration = configuration
    client = ServiceClient(
      name: configuration.displayName, endpoint: configuration.endpoint,
      key: .stored(
        for: configuration.id, in: credentialManager, isRequired: configuration.requiresKey),
      environment: environment, limits: configuration.limits,
      permanentCodes: ["enforced_spend_limit_reached", "billing_error"],
      prices: configuration.prices, models: configuration.models)
  }

  /// A provider with everything shared.
  public static func shared() -> AnthropicProvider { AnthropicProvider() }

  /// The name it is registered under.
  public var id: String { configuration.id }
  /// Text, program text and structured data.
  public let capabilities: [AICapability] = [.textGeneration, .codeGeneration, .structuredData]
  /// Text.
  public let responseType = ResponseContent.ContentType.text

  /// Answers the prompt.
  ///
  /// Parameters: `model`, `max_tokens` (by default 1024), `temperature` (0 to 1), `top_p`, `system`,
  /// `stop`.
  public func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    await generate(
      prompt: prompt, parameters: parameters, temperature: 0...1,
      maxTokens: configuration.maxTokens)
  }
}

extension AnthropicProvider: AccessCheck {
  /// Asks for the list of models, which costs nothing.
  package func checkAccess() async throws {
    _ = try await client.data(for: .get("v1/models"))
  }
}

extension AnthropicProvider: ChatService {
  /// Continues the conversation.
  public func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error> {
    let model = request.model ?? configuration.model
    return StreamedReply.events(
      of: client, assembler: AnthropicAssembler(client: client, model: model)
    ) { [self] in
      guard configuration.knowsSampling || (request.temperature == nil && request.topP == nil)
      else {
        throw AIServiceError.invalidRequest(
          "This version of Anthropic's interface takes neither temperature nor top_p. Leave them out, "
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

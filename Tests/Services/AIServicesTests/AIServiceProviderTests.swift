import AIServices
import Testing

/// Tests of the default implementations of a provider.
struct AIServiceProviderTests {
  private struct Minimal: AIServiceProvider {
    let id = "minimal"
    let displayName = "Minimal"
    let capabilities: [AICapability] = [.textGeneration]
    let requiresAPIKey = false
    let responseType = ResponseContent.ContentType.text

    func generate(
      prompt: String, parameters: [String: Any]
    ) async -> Result<ResponseContent, AIServiceError> { .success(.text(prompt)) }
  }

  /// A provider whose configuration is invalid, with a client.
  private struct WithClient: ServiceClientProvider {
    let id = "with-client"
    let capabilities: [AICapability] = [.textGeneration]
    let responseType = ResponseContent.ContentType.text
    let client: ServiceClient

    init(_ address: String, key: ServiceKey = .none) {
      client = ServiceClient(
        name: "With client", endpoint: ServiceEndpoint(baseURL: address), key: key,
        environment: ServiceEnvironment.standard)
    }

    func generate(
      prompt: String, parameters: [String: Any]
    ) async -> Result<ResponseContent, AIServiceError> { .success(.text(prompt)) }
  }

  @Test func `a provider without configuration is configured`() throws {
    let provider: any AIServiceProvider = Minimal()
    #expect(provider.isConfigured())
    #expect(provider.supportedDataStructures.isEmpty)
    try provider.validateConfiguration()
  }

  @Test func `a provider with a client is named, checked and observed by it`() throws {
    let manager = AIServiceManager()
    manager.register(Minimal())
    manager.register(WithClient("https://example.com/v1", key: ServiceKey { nil }))
    let observed = manager.allProviders().compactMap { $0 as? any ServiceClientProvider }
    #expect(observed.map(\.displayName) == ["With client"])
    #expect(observed.allSatisfy { $0.requiresAPIKey && $0.isConfigured() })
    #expect(observed.map(\.client.health.state) == [.working])

    let wrong: any AIServiceProvider = WithClient("not an address")
    #expect(!wrong.isConfigured() && !wrong.requiresAPIKey)
    #expect(throws: AIServiceError.self) { try wrong.validateConfiguration() }
  }
}

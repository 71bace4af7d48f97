import Testing

@testable import AIServices

/// Tests of the keys that are sent to vendors. The network is switched off, so that a key of the
/// right format leads to an error of the transport.
struct KeyFormatTests {
  private static let long = String(repeating: "0123456789abcdef", count: 2)

  private let environment: ServiceEnvironment = {
    let offline = OfflineMode()
    offline.isOn = true
    return ServiceEnvironment(transport: CurlTransport(offline: offline))
  }()

  private func error(of provider: any AIServiceProvider) async -> AIServiceError? {
    if case .failure(let error) = await provider.generate(prompt: "Hello", parameters: [:]) {
      error
    } else {
      nil
    }
  }

  private func credentials(_ key: String, for id: String) async throws -> AICredentialManager {
    let manager = AICredentialManager()
    try await manager.store(
      credential: AICredential(providerID: id, type: .apiKey, name: "key"), value: SecureString(key)
    )
    return manager
  }

  @Test(arguments: [
    ("sk-proj-1", true), ("test-1", true), ("SK-1", false), ("my-key", false), (long, false),
  ])
  func `OpenAI gets keys of its format only`(key: String, isValid: Bool) async throws {
    let manager = try await credentials(key, for: "openai")
    let provider = OpenAIProvider(
      configuration: OpenAIConfiguration(), credentialManager: manager, environment: environment)
    let error = try #require(await error(of: provider))
    #expect(error.isConfigurationError == isValid, "\(error)")
    if !isValid {
      guard case .invalidAPIKey(let text) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(text.contains("“sk-” or “test-”"))
      #expect(!text.contains(key))
    }
  }

  @Test(arguments: [("sk-ant-1", true), ("test-1", true), ("sk-1", false)])
  func `Anthropic gets keys of its format only`(key: String, isValid: Bool) async throws {
    let manager = try await credentials(key, for: "anthropic")
    let provider = AnthropicProvider(
      configuration: AnthropicConfiguration(), credentialManager: manager,
      environment: environment)
    let error = try #require(await error(of: provider))
    #expect(error.isConfigurationError == isValid, "\(error)")
  }

  @Test(arguments: [(long, true), ("sk_" + long, true), ("short", false)])
  func `ElevenLabs gets keys of its format only`(key: String, isValid: Bool) async throws {
    let manager = try await credentials(key, for: "elevenlabs")
    let provider = ElevenLabsProvider(
      configuration: ElevenLabsConfiguration(), credentialManager: manager,
      environment: environment)
    let error = try #require(await error(of: provider))
    #expect(error.isConfigurationError == isValid, "\(error)")
  }

  @Test func `a configuration can allow every key`() async throws {
    let manager = try await credentials("my-key", for: "openai")
    var configuration = OpenAIConfiguration()
    configuration.keyFormat = .any
    let provider = OpenAIProvider(
      configuration: configuration, credentialManager: manager, environment: environment)
    #expect(try #require(await error(of: provider)).isConfigurationError)
  }

  @Test func `compatible servers have keys of their own`() {
    #expect(OpenAIConfiguration(baseURL: "https://example.com/v1").keyFormat == .any)
    #expect(OpenAIConfiguration.ollama(model: "m").keyFormat == .any)
    #expect(AnthropicConfiguration(baseURL: "https://example.com").keyFormat == .any)
    #expect(ElevenLabsConfiguration(baseURL: "https://example.com").keyFormat == .any)
    #expect(
      ElevenLabsConfiguration(baseURL: "https://api.us.elevenlabs.io").keyFormat == .elevenLabs)
  }
}

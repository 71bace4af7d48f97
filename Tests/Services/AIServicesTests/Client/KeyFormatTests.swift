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

  enum Vendor: String {
    case openAI = "openai"
    case anthropic
    case elevenLabs = "elevenlabs"

    func provider(_ manager: AICredentialManager, _ environment: ServiceEnvironment)
      -> any AIServiceProvider
    {
      switch self {
      case .openAI:
        OpenAIProvider(
          configuration: OpenAIConfiguration(), credentialManager: manager,
          environment: environment)
      case .anthropic:
        AnthropicProvider(
          configuration: AnthropicConfiguration(), credentialManager: manager,
          environment: environment)
      case .elevenLabs:
        ElevenLabsProvider(
          configuration: ElevenLabsConfiguration(), credentialManager: manager,
          environment: environment)
      }
    }
  }

  @Test(arguments: [
    (Vendor.openAI, "sk-proj-1", true), (.openAI, "test-1", true), (.openAI, "SK-1", false),
    (.openAI, "my-key", false), (.openAI, long, false),
    (.anthropic, "sk-ant-1", true), (.anthropic, "test-1", true), (.anthropic, "sk-1", false),
    (.elevenLabs, long, true), (.elevenLabs, "sk_" + long, true), (.elevenLabs, "short", false),
  ])
  func `a vendor gets keys of its format only`(
    vendor: Vendor, key: String, isValid: Bool
  ) async throws {
    let manager = try await credentials(key, for: vendor.rawValue)
    let error = try #require(await error(of: vendor.provider(manager, environment)))
    #expect(error.isConfigurationError == isValid, "\(error)")
  }

  @Test func `a refusal names the format and not the key`() async throws {
    let manager = try await credentials("my-key", for: "openai")
    guard
      case .invalidAPIKey(let text) = await error(of: Vendor.openAI.provider(manager, environment))
    else {
      Issue.record("another error")
      return
    }
    #expect(text.contains("“sk-” or “test-”"))
    #expect(!text.contains("my-key"))
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

import Foundation
import SpeechConcurrency

/// Finds a model server on this machine with an OpenAI-compatible API.
actor LocalModelServer {
  private struct ModelList: Decodable {
    struct Model: Decodable { var id: String }

    var data: [Model]
  }

  /// The default addresses of Ollama, llama.cpp and LocalAI, and vLLM.
  static let defaultAddresses = [
    "http://127.0.0.1:11434/v1", "http://127.0.0.1:8080/v1", "http://127.0.0.1:8000/v1",
  ]

  /// The time for which a search result is cached: short, so that a newly started server is
  /// noticed.
  private static let cacheLifetime = Duration.seconds(30)

  private let addresses: [String]
  private let environment: ServiceEnvironment
  private var found: (provider: OpenAIProvider?, at: Duration)?

  init(addresses: [String], environment: ServiceEnvironment) {
    self.addresses = addresses
    self.environment = environment
  }

  /// The first server that answers with a model; `nil` if there is none.
  func provider() async -> OpenAIProvider? {
    let now = environment.clock.now()
    if let found, now - found.at < Self.cacheLifetime { return found.provider }
    for address in addresses {
      if let provider = await provider(at: address) {
        found = (provider, now)
        return provider
      }
    }
    if !Task.isCancelled { found = (nil, now) }
    return nil
  }

  /// Discards the cached server after it has stopped responding.
  func forget() {
    found = nil
  }

  private func provider(at address: String) async -> OpenAIProvider? {
    var configuration = OpenAIConfiguration.compatible(
      id: "on-device", displayName: "The local model server", baseURL: address)
    var quick = environment
    quick.retry = .never
    let usual = configuration.endpoint.timeouts
    configuration.endpoint.timeouts = HTTPTimeouts(
      connect: .milliseconds(300), firstByte: .seconds(1), idle: .seconds(1), total: .seconds(2))
    let probe = OpenAIProvider(
      configuration: configuration, credentialManager: AICredentialManager(), environment: quick)
    guard let list: ModelList = try? await probe.client.json(for: .get("models")),
      let model = list.data.first
    else { return nil }
    configuration.chatModel = model.id
    configuration.endpoint.timeouts = usual
    return OpenAIProvider(
      configuration: configuration, credentialManager: AICredentialManager(),
      environment: environment)
  }
}

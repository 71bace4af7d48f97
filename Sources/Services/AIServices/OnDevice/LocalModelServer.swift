import Foundation
import SpeechConcurrency

/// Finds a server on this machine that runs a model and speaks OpenAI's language.
actor LocalModelServer {
  private struct ModelList: Decodable {
    struct Model: Decodable { var id: String }

    var data: [Model]
  }

  /// Where the usual servers listen: Ollama, llama.cpp and LocalAI, vLLM.
  static let usualAddresses = [
    "http://127.0.0.1:11434/v1", "http://127.0.0.1:8080/v1", "http://127.0.0.1:8000/v1",
  ]

  /// So long the outcome of a search counts, that a server which is started meanwhile is found soon.
  private static let memory = Duration.seconds(30)

  private let addresses: [String]
  private let environment: ServiceEnvironment
  private var found: (provider: OpenAIProvider?, at: Duration)?

  init(addresses: [String], environment: ServiceEnvironment) {
    self.addresses = addresses
    self.environment = environment
  }

  /// The first server that answers with a model; `nil` if none does.
  func provider() async -> OpenAIProvider? {
    let now = environment.clock.now()
    if let found, now - found.at < Self.memory { return found.provider }
    for address in addresses {
      if let provider = await provider(at: address) {
        found = (provider, now)
        return provider
      }
    }
    if !Task.isCancelled { found = (nil, now) }
    return nil
  }

  /// Says that the server that was found is not there any more.
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

import AIServices
import Foundation
import LLMSocket

/// A connector made into a service that can be asked.
final class ConnectorService: Sendable {
  let connector: Connector
  let chat: any ChatService
  /// Lets no more requests through at once than the connector says.
  private let gate: RequestGate
  /// Where requests go as they are sent; `nil` for what never leaves the process but for this machine.
  private let address: URL?

  /// How often a request may be sent again at most, whatever an action says.
  static let maximumRetries = 10

  /// - Parameter reconnection: when a socket that was lost is opened again; `nil` for its usual way.
  /// - Throws: `ActionError.service` when the connector's address cannot be one, or its key cannot be had.
  init(
    _ connector: Connector, credentials: AICredentialManager, environment: ServiceEnvironment,
    reconnection: ReconnectionPolicy? = nil
  ) async throws {
    self.connector = connector
    // How often is said with each request.
    var environment = environment
    environment.retry.limit = Self.maximumRetries
    gate = RequestGate(
      limits: ServiceLimits(concurrentRequests: connector.concurrency), clock: environment.clock)
    do {
      switch connector.kind {
      case .openAICompatible, .azure:
        let configuration = connector.openAIConfiguration
        address = try configuration.endpoint.url(path: "")
        chat = OpenAIProvider(
          configuration: configuration, credentialManager: connector.keys(in: credentials),
          environment: environment)
      case .anthropic:
        let configuration = connector.anthropicConfiguration
        address = try configuration.endpoint.url(path: "")
        chat = AnthropicProvider(
          configuration: configuration, credentialManager: connector.keys(in: credentials),
          environment: environment)
      case .llmSocket:
        var configuration = try await connector.socketConfiguration(keys: credentials)
        configuration.reconnection = reconnection
        let service = LLMService(
          configuration, http: environment.transport, sockets: environment.sockets)
        address = service.configuration.url
        chat = service
      case .onDevice:
        address =
          connector.baseURL.isEmpty
          ? nil
          : try ServiceEndpoint(baseURL: connector.baseURL)
            .url(path: "")
        chat = OnDeviceTextProvider(
          addresses: connector.baseURL.isEmpty ? nil : [connector.baseURL],
          environment: environment)
      }
    } catch let error as AIServiceError {
      throw ActionError.service(error)
    } catch let error as AICredentialError {
      throw ActionError.service(.missingCredentials(error.localizedDescription))
    }
  }

  /// Asks, as soon as it is the request's turn, and gives the answer step by step: the one way in which a
  /// connector is asked.
  ///
  /// - Parameter onTurn: called when the request is about to be sent.
  func answer(
    to request: ChatRequest, onTurn: @escaping @Sendable () -> Void = {}
  ) -> AsyncThrowingStream<ChatEvent, any Error> {
    let steps = GatedChat(chat.chat(request), through: gate, onTurn: onTurn)
    return AsyncThrowingStream { try await steps.next() }
  }

  /// Whether what it is asked stays on this machine, as far as this program sends it.
  var isLocal: Bool { address?.isLoopback ?? true }

  /// How the service takes requests at present.
  var state: ServiceHealth.State {
    (chat as? any ServiceClientProvider)?.client.health.state ?? .working
  }
}

extension Connector {
  /// The vendors' own addresses, where requests without a key make no sense.
  private static let vendorHosts = ["api.openai.com": "openai", "api.anthropic.com": "anthropic"]

  /// The name that its key is stored under; `nil` for none.
  var keyName: String? {
    if let credential { return credential }
    return Self.vendorHosts[ServiceEndpoint(baseURL: resolvedBaseURL).host]
  }

  /// The address, with what the vendors' documentation says where none is given.
  var resolvedBaseURL: String {
    switch kind {
    case .openAICompatible where baseURL.isEmpty: OpenAIProvider.defaultBaseURL
    case .anthropic where baseURL.isEmpty: AnthropicProvider.defaultBaseURL
    case .azure(let deployment, _) where !baseURL.contains("/deployments/"):
      baseURL.trimmingSuffix("/") + "/openai/deployments/" + ServiceEndpoint.segment(deployment)
    default: baseURL
    }
  }

  /// Whether the service makes sure itself that answers follow a schema.
  var enforcesSchemas: Bool {
    switch kind {
    case .azure: true
    case .openAICompatible, .anthropic:
      Self.vendorHosts[ServiceEndpoint(baseURL: resolvedBaseURL).host] != nil
    case .llmSocket, .onDevice: false
    }
  }

  /// Where its key is looked for: nowhere when it has none, so that none is sent by chance.
  fileprivate func keys(in manager: AICredentialManager) -> AICredentialManager {
    keyName == nil ? AICredentialManager() : manager
  }

  private var timeouts: HTTPTimeouts {
    HTTPTimeouts(
      connect: min(.seconds(5), timeout), firstByte: timeout, idle: min(.seconds(60), timeout),
      total: timeout)
  }

  private var prices: [String: ServicePrice] {
    price.map {
      [model: ServicePrice(perMillionInputTokens: $0.input, perMillionOutputTokens: $0.output)]
    } ?? [:]
  }

  var openAIConfiguration: OpenAIConfiguration {
    var configuration: OpenAIConfiguration
    if case .azure(let deployment, let version) = kind {
      configuration = .azure(
        baseURL: resolvedBaseURL, deployment: deployment,
        apiVersion: version.isEmpty ? nil : version)
    } else {
      configuration = OpenAIConfiguration(baseURL: resolvedBaseURL)
    }
    configuration.id = keyName ?? id
    configuration.displayName = name
    configuration.requiresKey = keyName != nil
    if case .openAICompatible = kind { configuration.chatModel = model }
    configuration.endpoint.headers.merge(headers) { $1 }
    configuration.endpoint.timeouts = timeouts
    configuration.prices = prices
    // Who pays wants to know what for.
    if price != nil { configuration.asksForUsage = true }
    return configuration
  }

  var anthropicConfiguration: AnthropicConfiguration {
    var configuration = AnthropicConfiguration(
      id: keyName ?? id, displayName: name, baseURL: resolvedBaseURL, headers: headers,
      requiresKey: keyName != nil)
    if let version = headers.first(where: { $0.key.lowercased() == "anthropic-version" }) {
      configuration.endpoint.headers["anthropic-version"] = version.value
    }
    if !model.isEmpty { configuration.model = model }
    configuration.endpoint.timeouts = timeouts
    configuration.prices = prices
    return configuration
  }

  /// - Throws: `AIServiceError.configurationError`; `AICredentialError`.
  fileprivate func socketConfiguration(keys: AICredentialManager) async throws -> LLMConfiguration {
    let address = baseURL.isEmpty ? LLMService().configuration.url : URL(string: baseURL)
    guard let address, ["ws", "wss", "http", "https"].contains(address.scheme?.lowercased()) else {
      throw AIServiceError.configurationError(
        "“\(baseURL)” is no address of a socket. It has to look like wss://host/socket.")
    }
    var configuration = LLMConfiguration(
      url: address, requestTimeout: timeout, channelCount: max(1, min(concurrency, 16)))
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      configuration.headers.append(name, value)
    }
    if let credential {
      configuration.credential = .token(
        try await keys.retrieve(providerID: credential, type: .apiKey))
    }
    return configuration
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

import AIServices
import Foundation
import LLMSocket
import SpeechConcurrency

/// The client of a connector's service.
final class ConnectorService: Sendable {
  let connector: Connector
  let chat: any ChatService
  /// Limits the number of concurrent requests.
  private let gate: RequestGate
  /// The address that requests are sent to; `nil` for a service that runs in this process or on
  /// this machine.
  private let address: URL?

  /// The maximum number of retries that an action may set.
  static let maximumRetries = 10

  /// - Parameter reconnection: The policy for reopening a lost socket; the default one if `nil`.
  /// - Throws: `ActionError.service` if the address is not valid, or the key is not available.
  init(
    _ connector: Connector, credentials: AICredentialManager, environment: ServiceEnvironment,
    reconnection: ReconnectionPolicy? = nil
  ) async throws {
    self.connector = connector
    // Each request sets its own limit.
    var environment = environment
    environment.retry.limit = Self.maximumRetries
    gate = RequestGate(
      limits: ServiceLimits(concurrentRequests: connector.concurrency), clock: environment.clock)
    do {
      var url: URL?
      switch connector.kind {
      case .openAICompatible, .azure:
        chat = OpenAIProvider(
          configuration: connector.openAIConfiguration,
          credentialManager: connector.keys(in: credentials), environment: environment)
      case .anthropic:
        chat = AnthropicProvider(
          configuration: connector.anthropicConfiguration,
          credentialManager: connector.keys(in: credentials), environment: environment)
      case .llmSocket:
        var configuration = try await connector.socketConfiguration(keys: credentials)
        configuration.reconnection = reconnection
        let service = LLMService(
          configuration, http: environment.transport, sockets: environment.sockets)
        url = service.configuration.url
        chat = service
      case .onDevice:
        chat = OnDeviceTextProvider(
          addresses: connector.baseURL.isEmpty ? nil : [connector.baseURL],
          environment: environment)
      }
      let baseURL = connector.resolvedBaseURL
      address =
        try url ?? (baseURL.isEmpty ? nil : ServiceEndpoint(baseURL: baseURL).url(path: ""))
    } catch let error as AIServiceError {
      throw ActionError.service(error)
    } catch let error as AICredentialError {
      throw ActionError.service(.missingCredentials(error.localizedDescription))
    }
  }

  /// Sends a request when its turn comes, and returns the answer as events. All requests to a
  /// connector go through here.
  ///
  /// - Parameter onTurn: Called just before the request is sent.
  func answer(
    to request: ChatRequest, onTurn: @escaping @Sendable () -> Void = {}
  ) -> AsyncThrowingStream<ChatEvent, any Error> {
    let steps = GatedChat(chat.chat(request), through: gate, onTurn: onTurn)
    return AsyncThrowingStream { try await steps.next() }
  }

  /// True if requests stay on this machine.
  var isLocal: Bool { address?.isLoopback ?? true }

  /// The health of the service's client.
  var state: ServiceHealth.State {
    (chat as? any ServiceClientProvider)?.client.health.state ?? .working
  }
}

extension Connector {
  /// The hosts of vendors, whose requests always need a key.
  private static let vendorHosts = ["api.openai.com": "openai", "api.anthropic.com": "anthropic"]

  /// The name under which the key is stored; `nil` for none.
  var keyName: String? {
    if let credential { return credential }
    return Self.vendorHosts[ServiceEndpoint(baseURL: resolvedBaseURL).host]
  }

  /// A warning if the key would be sent over the network without encryption; otherwise `nil`.
  package var keyWarning: String? {
    let endpoint = ServiceEndpoint(baseURL: resolvedBaseURL)
    let scheme = URL(string: resolvedBaseURL)?.scheme?.lowercased() ?? ""
    let isPlain = ["http", "ws"].contains(scheme)
    guard keyName != nil, isPlain, !endpoint.isLoopback else { return nil }
    return
      "The key is sent to \(endpoint.host) without encryption, and everyone on the network can "
      + "read it. Use an address with https: or wss:."
  }

  /// The address, including the vendor's default.
  var resolvedBaseURL: String {
    switch kind {
    case .openAICompatible where baseURL.isEmpty: OpenAIProvider.defaultBaseURL
    case .anthropic where baseURL.isEmpty: AnthropicProvider.defaultBaseURL
    case .azure(let deployment, _) where !baseURL.contains("/deployments/"):
      baseURL.trimmingSuffix("/") + "/openai/deployments/" + ServiceEndpoint.segment(deployment)
    default: baseURL
    }
  }

  /// True if the service guarantees that answers follow a schema.
  var enforcesSchemas: Bool {
    switch kind {
    case .azure: true
    case .openAICompatible, .anthropic:
      Self.vendorHosts[ServiceEndpoint(baseURL: resolvedBaseURL).host] != nil
    case .llmSocket, .onDevice: false
    }
  }

  /// The key store; an empty one for a service without a key, so that no key is sent by accident.
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
    // Costs are computed from the service's token counts.
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
        "“\(baseURL)” is no address of a socket. It has to look like wss://host/socket, or like "
          + "https://host/socket for a server that accepts HTTP requests only.")
    }
    var configuration = LLMConfiguration(
      url: address, requestTimeout: timeout, channelCount: max(1, min(concurrency, 16)))
    // Some servers and proxies of Socket.IO offer no WebSocket.
    if address.scheme?.lowercased().hasPrefix("http") == true {
      configuration.transports = .pollingWithUpgrade
    }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      configuration.headers.append(name, value)
    }
    if let credential {
      configuration.credential = .token(
        try await ExternalWork.run {
          try await keys.retrieve(providerID: credential, type: .apiKey)
        })
    }
    return configuration
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

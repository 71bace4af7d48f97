import AIServices
import LLMSocket
import SpeechConcurrency
import SpeechText

/// Tests whether a connector works, and diagnoses failures.
///
/// The test requests the list of models, which is free, and then one short answer, which costs a
/// few tokens. Whether a model is available and paid for is only reported for a real request.
public struct ConnectorTest: Sendable {
  private let credentials: AICredentialManager
  private let environment: ServiceEnvironment

  /// Creates a test, which never retries a request.
  public init(
    credentials: AICredentialManager = .shared, environment: ServiceEnvironment = .standard
  ) {
    self.credentials = credentials
    self.environment = environment
  }

  /// Tests a connector. Takes at most twice its timeout.
  ///
  /// - Parameter isFree: True to send no request that costs, which may miss a wrong model.
  public func run(_ connector: Connector, isFree: Bool = false) async -> ConnectorReport {
    let witness = TransportRecorder(environment.transport)
    var environment = environment
    environment.transport = witness
    var models: [String] = []
    do {
      let service = try await ConnectorService(
        connector, credentials: credentials, environment: environment, reconnection: .never)
      do {
        let report = try await report(
          on: service, connector, witness, isFree: isFree, models: &models)
        await (service.chat as? LLMService)?.disconnect()
        return report
      } catch {
        await (service.chat as? LLMService)?.disconnect()
        throw error
      }
    } catch {
      var report = Self.report(
        on: ActionError(running: error), connector, failure: witness.failure, status: witness.status
      )
      report.models = models
      return report
    }
  }

  private func report(
    on service: ConnectorService, _ connector: Connector, _ witness: TransportRecorder,
    isFree: Bool, models: inout [String]
  ) async throws -> ConnectorReport {
    let began = environment.clock.now()
    if let wrong = try await unreachable(service, connector) { return wrong }
    models = try await list(service, witness, connector)
    if let wrong = unlisted(connector, models) { return wrong }
    guard isFree else { return try await ask(service, connector, models, environment.clock) }
    return ConnectorReport(
      verdict: .works,
      message: "\(connector.name) can be reached. No request was sent that costs.",
      models: models, latency: environment.clock.now() - began)
  }

  /// Returns the failure of a service whose transport cannot be observed, or which has a fallback.
  private func unreachable(
    _ service: ConnectorService, _ connector: Connector
  ) async throws(CancellationError) -> ConnectorReport? {
    switch service.chat {
    case let socket as LLMService:
      do {
        try await socket.open()
        return nil
      } catch let error as CancellationError {
        throw error
      } catch {
        return ConnectorReport(
          verdict: Self.verdict(onSocket: error), message: error.localizedDescription)
      }
    case let local as OnDeviceTextProvider where !connector.baseURL.isEmpty:
      guard await local.modelServer == nil else { return nil }
      return ConnectorReport(
        verdict: .refused,
        message:
          "No model server answers at \(connector.baseURL). Start it, or remove the address. "
          + "Until then simple rules answer.")
    default: return nil
    }
  }

  private static func verdict(onSocket error: any Error) -> ConnectorReport.Verdict {
    switch error {
    case let failure as HTTPFailure: verdict(on: failure)
    case let refusal as WebSocketHandshakeError:
      switch refusal.status {
      case 401, 403: .key
      case 429: .quota
      case 500...: .serviceFailed
      default: .notAnAPI
      }
    case WireError.refused: .key
    case WireError.status, WireError.malformed: .notAnAPI
    case let error as LLMError where error.code == .timeout: .timedOut
    case let error as AIServiceError:
      if case .configurationError = error { .settings } else { .serviceFailed }
    default: .serviceFailed
    }
  }

  /// Returns the names of the models; empty if the service has no list.
  private func list(
    _ service: ConnectorService, _ witness: TransportRecorder, _ connector: Connector
  ) async throws -> [String] {
    struct List: Decodable {
      struct Model: Decodable { var id: String }
      var data: [Model]
    }
    let local = service.chat as? OnDeviceTextProvider
    let found: (any ServiceClientProvider)? = await local?.modelServer
    guard let provider = found ?? service.chat as? any ServiceClientProvider else { return [] }
    // An Azure deployment has no list of its own.
    if case .azure = connector.kind { return [] }
    let path = connector.kind == .anthropic ? "v1/models" : "models"
    do {
      var call = ServiceCall.get(path)
      call.retries = 0
      let list = try await provider.client.json(List.self, for: call)
      return list.data.map(\.id)
    } catch let error as AIServiceError {
      // A missing list is not an error, but failures that concern every request are.
      guard witness.failure == nil, let status = witness.status,
        ![401, 402, 403, 429].contains(status), status < 500
      else { throw error }
      return []
    }
  }

  private func unlisted(_ connector: Connector, _ models: [String]) -> ConnectorReport? {
    guard !connector.model.isEmpty, !models.contains(connector.model),
      // Lists omit aliases and tags, so only a likely misspelling is reported.
      let near = NearestName.of(connector.model, among: models),
      !near.hasPrefix(connector.model), !connector.model.hasPrefix(near),
      !connector.enforcesSchemas
    else { return nil }
    return ConnectorReport(
      verdict: .model,
      message:
        "\(connector.name) does not list the model “\(connector.model)”. Did you mean “\(near)”?",
      models: models)
  }

  private func ask(
    _ service: ConnectorService, _ connector: Connector, _ models: [String], _ clock: ServiceClock
  ) async throws -> ConnectorReport {
    var request = connector.request(
      prompt: "Answer with the word OK.", rules: "",
      for: TextAction(id: "test", name: "Test", prompt: ""))
    request.retries = 0
    // Reasoning models need tokens before they answer.
    request.maxTokens = min(connector.maxTokens ?? 256, 256)
    let began = clock.now()
    var first: Duration?
    var answer = ""
    for try await event in service.answer(to: request) {
      if case .text(let piece) = event {
        if first == nil { first = clock.now() - began }
        answer += piece
      }
    }
    try Task.checkCancellation()
    return ConnectorReport(
      verdict: .works, message: await Self.praise(service, connector), models: models,
      latency: first ?? clock.now() - began, answer: answer.trimmed.withoutControls)
  }

  private static func praise(_ service: ConnectorService, _ connector: Connector) async -> String {
    let local = service.chat as? OnDeviceTextProvider
    guard let local, await local.modelServer == nil else { return "\(connector.name) answers." }
    return
      "\(connector.name) answers with simple rules, because no model server runs on this machine. "
      + "Start one for real answers."
  }

  /// Maps an error to a result.
  static func report(
    on error: ActionError, _ connector: Connector, failure: HTTPFailure?, status: Int?
  ) -> ConnectorReport {
    let message = error.errorDescription ?? ""
    if let failure { return ConnectorReport(verdict: verdict(on: failure), message: message) }
    guard case .service(let error) = error else {
      return ConnectorReport(verdict: .settings, message: message)
    }
    let verdict: ConnectorReport.Verdict
    switch error {
    case .missingCredentials, .invalidAPIKey, .authenticationFailed: verdict = .key
    case .rateLimitExceeded: verdict = .quota
    case .timeout: verdict = .timedOut
    case .connectionFailed: verdict = .refused
    case .networkError, .providerError: verdict = .serviceFailed
    case .unexpectedResponseFormat: verdict = .notAnAPI
    case .configurationError, .dataConversionError:
      // With a status code, the account or a redirection is at fault; without one, the settings
      // are.
      verdict = status.map { (300..<400).contains($0) ? .notAnAPI : .quota } ?? .settings
    case .invalidRequest: return refusal(message, connector, status)
    }
    return ConnectorReport(verdict: verdict, message: message)
  }

  private static func verdict(on failure: HTTPFailure) -> ConnectorReport.Verdict {
    switch failure {
    case .unknownHost: .unknownHost
    case .unreachable: .refused
    case .untrusted: .untrusted
    case .timedOut: .timedOut
    case .offline: .offline
    case .invalidRequest: .settings
    case .malformed, .tooLarge: .notAnAPI
    case .interrupted, .truncated: .serviceFailed
    }
  }

  /// A rejected request usually names a wrong model, because the rest of the request is minimal.
  private static func refusal(
    _ message: String, _ connector: Connector, _ status: Int?
  ) -> ConnectorReport {
    let words = message.replacing(connector.name, with: "").lowercased()
    let name = connector.modelName.lowercased()
    let isAboutModel =
      words.contains("model") || words.contains("deployment")
      || (!name.isEmpty && words.contains(name))
    if isAboutModel {
      return ConnectorReport(
        verdict: .model,
        message: message + " Check the connector's model “\(connector.modelName)”.")
    }
    if status == 404 || status == 405 {
      return ConnectorReport(
        verdict: .notAnAPI,
        message: message
          + " There is no chat service at this address. Check its path, which usually ends with "
          + "/v1.")
    }
    return ConnectorReport(verdict: .settings, message: message)
  }
}

extension Connector {
  /// The name of the model in requests.
  fileprivate var modelName: String {
    if case .azure(let deployment, _) = kind { deployment } else { model }
  }
}

/// A transport that records the outcome of the last exchange, before it is converted to a general
/// error.
private final class TransportRecorder: HTTPTransport {
  private let transport: any HTTPTransport
  private let last = Guarded<(failure: HTTPFailure?, status: Int?)>((nil, nil))

  init(_ transport: any HTTPTransport) {
    self.transport = transport
  }

  var failure: HTTPFailure? { last.withLock { $0.failure } }
  var status: Int? { last.withLock { $0.status } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    last.withLock { $0 = (nil, nil) }
    do {
      let response = try await transport.send(request)
      last.withLock { $0 = (nil, response.status) }
      return response
    } catch let failure as HTTPFailure {
      last.withLock { $0 = (failure, nil) }
      throw failure
    }
  }
}

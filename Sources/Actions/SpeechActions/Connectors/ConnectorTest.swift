import AIServices
import LLMSocket
import SpeechConcurrency
import SpeechText

/// Finds out whether a connector works, and names what is wrong if it does not.
///
/// It asks for the list of models, which costs nothing, and then for one short answer, which costs a few
/// tokens: whether a model may be used, and whether it is paid for, is only told to those who use it.
public struct ConnectorTest: Sendable {
  private let credentials: AICredentialManager
  private let environment: ServiceEnvironment

  /// A test. It sends nothing a second time.
  public init(
    credentials: AICredentialManager = .shared, environment: ServiceEnvironment = .standard
  ) {
    self.credentials = credentials
    self.environment = environment
  }

  /// Tests the connector. Never takes longer than its time-out, twice.
  ///
  /// - Parameter isFree: whether nothing may be asked that costs. Then wrong models may not be found out.
  public func run(_ connector: Connector, isFree: Bool = false) async -> ConnectorReport {
    let witness = TransportRecorder(environment.transport)
    var environment = environment
    environment.transport = witness
    let began = environment.clock.now()
    var models: [String] = []
    var socket: LLMService?
    do {
      let service = try await ConnectorService(
        connector, credentials: credentials, environment: environment, reconnection: .never)
      socket = service.chat as? LLMService
      if let wrong = try await unreachable(service, connector) {
        await socket?.disconnect()
        return wrong
      }
      models = try await list(service, witness, connector)
      if !models.isEmpty, let wrong = unlisted(connector, models) { return wrong }
      if isFree {
        await socket?.disconnect()
        return ConnectorReport(
          verdict: .works,
          message: "\(connector.name) can be reached. Nothing was asked that costs.",
          models: models, latency: environment.clock.now() - began)
      }
      let report = try await ask(service, connector, models, environment.clock)
      await socket?.disconnect()
      return report
    } catch {
      await socket?.disconnect()
      var report = Self.report(
        on: ActionError(running: error), connector, failure: witness.failure, status: witness.status
      )
      report.models = models
      return report
    }
  }

  /// What is wrong with a service of which the transport sees nothing, or that has a stand-in.
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
          "No model server answers at \(connector.baseURL). Start it, or take the address away; a few rules "
          + "answer meanwhile.")
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
    case SocketIOError.refused, PhoenixError.refused: .key
    case SocketIOError.status, SocketIOError.malformed, PhoenixError.malformed: .notAnAPI
    case let error as LLMError where error.code == .timeout: .timedOut
    case let error as AIServiceError:
      if case .configurationError = error { .settings } else { .serviceFailed }
    default: .serviceFailed
    }
  }

  /// The names of the models, none where the service has no list.
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
    // A deployment of Azure has no list of its own.
    if case .azure = connector.kind { return [] }
    let path = connector.kind == .anthropic ? "v1/models" : "models"
    do {
      var call = ServiceCall.get(path)
      call.retries = 0
      let list = try await provider.client.json(List.self, for: call)
      return list.data.map(\.id)
    } catch let error as AIServiceError {
      // Not having one is no fault; what concerns any request is.
      guard witness.failure == nil, let status = witness.status,
        ![401, 402, 403, 429].contains(status), status < 500
      else { throw error }
      return []
    }
  }

  private func unlisted(_ connector: Connector, _ models: [String]) -> ConnectorReport? {
    guard !connector.model.isEmpty, !models.contains(connector.model),
      // Lists leave out aliases and tags, so only a likely slip is told from them alone.
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
    // Models that think before they speak need room for it.
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
      "\(connector.name) answers by a few rules: no model server runs on this machine. Start one for more."
  }

  /// What an error means.
  static func report(
    on error: ActionError, _ connector: Connector, failure: HTTPFailure?, status: Int?
  ) -> ConnectorReport {
    let message = error.errorDescription ?? ""
    if let failure { return ConnectorReport(verdict: verdict(on: failure), message: message) }
    guard case .service(let error) = error else {
      return ConnectorReport(verdict: .settings, message: message)
    }
    switch error {
    case .missingCredentials, .invalidAPIKey, .authenticationFailed:
      return ConnectorReport(verdict: .key, message: message)
    case .rateLimitExceeded: return ConnectorReport(verdict: .quota, message: message)
    case .timeout: return ConnectorReport(verdict: .timedOut, message: message)
    case .connectionFailed: return ConnectorReport(verdict: .refused, message: message)
    case .networkError, .providerError:
      return ConnectorReport(verdict: .serviceFailed, message: message)
    case .unexpectedResponseFormat: return ConnectorReport(verdict: .notAnAPI, message: message)
    case .configurationError, .dataConversionError:
      // With a status it is the account's fault or a redirection; without one that of the settings.
      guard let status else { return ConnectorReport(verdict: .settings, message: message) }
      return ConnectorReport(
        verdict: (300..<400).contains(status) ? .notAnAPI : .quota, message: message)
    case .invalidRequest: return refusal(message, connector, status)
    }
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

  /// A request that is refused is so for its model, mostly: the rest of it is as plain as can be.
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
        message: message + " Check the model “\(connector.modelName)” of the connector.")
    }
    if status == 404 || status == 405 {
      return ConnectorReport(
        verdict: .notAnAPI,
        message: message
          + " There is no chat at this address. Check its path; mostly it ends with /v1.")
    }
    return ConnectorReport(verdict: .settings, message: message)
  }
}

extension Connector {
  /// What its service calls the model.
  fileprivate var modelName: String {
    if case .azure(let deployment, _) = kind { deployment } else { model }
  }
}

/// A way to servers that remembers how the last exchange went, before that is put into general words.
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

import AIServices
import Foundation
import SpeechActions

/// The requests of the page, with access control.
final class ConsoleAPI: RequestHandler {
  private typealias Route = @Sendable (ConsoleAPI, Data) async throws -> ConsoleResponse

  private static let routes: [String: Route] = [
    "GET /api/state": { api, _ in .json(try await api.state()) },
    "GET /api/file": { api, _ in .json(try await api.file()) },
    "GET /api/file/export": { api, _ in try await api.export() },
    "POST /api/file/check": { try $0.check(decoded($1)) },
    "POST /api/file/save": { try await $0.save(decoded($1)) },
    "POST /api/preview": { _, body in .json(Preview(try decoded(body))) },
    "POST /api/action/save": { try await $0.saveAction(decoded($1)) },
    "POST /api/action/clone": change { try $0.clone($1.id) },
    "POST /api/action/archive": change { try $0.archive($1.id, $1.isArchived ?? true) },
    "POST /api/action/default": change { try $0.makeDefault($1.id) },
    "POST /api/connector/save": { try await $0.saveConnector(decoded($1)) },
    "POST /api/connector/remove": { try await $0.removeConnector(decoded($1)) },
    "POST /api/connector/test": { try await $0.testConnector(decoded($1)) },
    "POST /api/run": { try await $0.run(decoded($1)) },
    "POST /api/stop": { try $0.stop(decoded($1)) },
    "POST /api/speak": { try $0.speak(decoded($1)) },
  ]

  let services: ConsoleServices
  let limits: ConsoleLimits
  let log = TrialLog()
  let ongoing = OngoingWork()
  let answers = AnswersUnderWay()
  private let gatekeeper: Gatekeeper

  init(_ services: ConsoleServices, gatekeeper: Gatekeeper, limits: ConsoleLimits) {
    self.services = services
    self.gatekeeper = gatekeeper
    self.limits = limits
  }

  func knows(_ head: ConsoleRequest) -> Bool { gatekeeper.hasCookie(head) }

  func immediateAnswer(to head: ConsoleRequest) -> ConsoleResponse? {
    switch gatekeeper.verdict(on: head) {
    case .refused(let status, let reason): return .text(status, reason)
    case .entered(let cookie): return ConsoleAssets.welcome(cookie)
    case .admitted: break
    }
    if head.method == "GET", let asset = ConsoleAssets.all[head.path] { return asset }
    guard Self.routes["\(head.method) \(head.path)"] != nil else {
      return .text(404, "There is no such page.")
    }
    guard head.method != "POST" || head.isJSON else {
      return .text(415, "The console accepts JSON only.")
    }
    return nil
  }

  func response(to request: ConsoleRequest) async -> ConsoleResponse {
    guard let route = Self.routes["\(request.method) \(request.path)"] else {
      return .text(404, "There is no such page.")
    }
    do {
      return try await route(self, request.body)
    } catch {
      let error = APIError(error)
      return .json(error, status: error.status)
    }
  }

  private static func change(
    _ change: @escaping @Sendable (inout ActionLibrary, ActionName) throws -> Void
  ) -> Route {
    { api, body in
      let name: ActionName = try decoded(body)
      return try await api.edit(name.revision) { try change(&$0.actions, name) }
    }
  }

  private static func decoded<Value: Decodable>(_ body: Data) throws -> Value {
    try JSONDecoder().decode(Value.self, from: body)
  }

  // MARK: Looking

  func state() async throws -> StateView {
    try await view(of: services.configuration.load())
  }

  func view(of snapshot: ConfigurationSnapshot) async throws -> StateView {
    let configuration = snapshot.configuration
    var connectors: [StateView.ConnectorView] = []
    for connector in configuration.connectors {
      let credential = connector.credential
      var hasKey = false
      if let credential {
        hasKey = await services.credentials.has(providerID: credential, type: .apiKey)
      }
      connectors.append(
        StateView.ConnectorView(
          connector: connector.form,
          health: StateView.HealthView(await services.runner.health(of: connector)),
          trials: log.trials(of: connector.id), hasKey: hasKey,
          keyWarning: connector.keyWarning))
    }
    return StateView(
      revision: snapshot.revision, defaultAction: configuration.actions.defaultID,
      actions: configuration.actions.all.map(\.form), connectors: connectors,
      runs: await services.runner.history.runs(), canSpeak: services.speak != nil,
      knownVariables: PromptTemplate.knownVariables)
  }
}

extension ConsoleRequest {
  fileprivate var isJSON: Bool {
    value("Content-Type")?.lowercased().split(separator: ";").first?
      .trimmingCharacters(in: .whitespaces) == "application/json"
  }
}

import AIServices
import Foundation
import SpeechActions

extension ConsoleAPI {
  struct ConnectorChange: Decodable {
    var revision: String
    /// The previous id; `nil` for a new connector.
    var original: String?
    var connector: Form
    /// A new key, for the credential store.
    var key: String?
  }

  struct ConnectorName: Decodable {
    var revision: String?
    var id: String
  }

  func saveConnector(_ change: ConnectorChange) async throws -> ConsoleResponse {
    var form = change.connector
    let hasNewKey = change.key?.isEmpty == false
    let id = form["id"]?.stringValue ?? ""
    if hasNewKey, form["credential"]?.stringValue?.isEmpty != false {
      form["credential"] = .string(id)
    }
    let connector = try Connector(form, id: id)
    if let message = connector.firstIssue { throw APIError(422, message) }
    let response = try await edit(change.revision) { configuration in
      var connectors = configuration.connectors
      let place = change.original.flatMap { id in connectors.firstIndex { $0.id == id } }
      if change.original != nil, place == nil {
        throw APIError(
          404, "There is no connector “\(change.original ?? "")”. It may have been removed.")
      }
      let others = connectors.enumerated().filter { $0.offset != place }.map(\.element)
      guard !others.contains(where: { $0.id == connector.id }) else {
        throw APIError(422, "There is already a connector “\(connector.id)”. Choose another id.")
      }
      if let place { connectors[place] = connector } else { connectors.append(connector) }
      configuration.connectors = connectors
      if let original = change.original, original != connector.id {
        try Self.rename(original, to: connector.id, in: &configuration)
      }
    }
    guard hasNewKey, let key = change.key, let name = connector.credential else { return response }
    let secret = SecureString(key)
    defer { secret.clear() }
    _ = try await services.credentials.store(
      credential: AICredential(providerID: name, type: .apiKey, name: "Key for \(name)"),
      value: secret)
    return .json(try await state())
  }

  func removeConnector(_ name: ConnectorName) async throws -> ConsoleResponse {
    try await edit(name.revision ?? "") { configuration in
      let users = configuration.actions.active.filter {
        $0.routing.connectors.contains(name.id)
      }
      guard users.isEmpty else {
        throw APIError(
          422,
          "“\(name.id)” is used by \(users.map { "“\($0.name)”" }.joined(separator: ", ")). Choose "
            + "other connectors there first.")
      }
      configuration.connectors.removeAll { $0.id == name.id }
      for action in configuration.actions.archived
      where action.routing.connectors.contains(name.id) {
        try configuration.actions.edit(action.id) {
          $0.routing.connectors.removeAll { $0 == name.id }
        }
      }
    }
  }

  func testConnector(_ name: ConnectorName) async throws -> ConsoleResponse {
    let snapshot = try await services.configuration.load()
    guard let connector = snapshot.configuration.connectors.first(where: { $0.id == name.id })
    else { throw APIError(404, "There is no connector “\(name.id)”.") }
    let report = await services.test.run(connector)
    let trial = TrialLog.Trial(
      date: Date(), isGood: report.isGood, verdict: report.verdict.rawValue,
      message: report.message, models: Array(report.models.prefix(100)),
      milliseconds: report.latency?.wholeMilliseconds)
    log.note(trial, of: name.id)
    return .json(trial)
  }

  private static func rename(
    _ old: String, to new: String, in configuration: inout ActionConfiguration
  ) throws {
    for action in configuration.actions.all where action.routing.connectors.contains(old) {
      try configuration.actions.edit(action.id) { action in
        action.routing.connectors = action.routing.connectors.map { $0 == old ? new : $0 }
      }
    }
  }
}

import SpeechActions

extension ConsoleAPI {
  struct ActionChange: Decodable {
    var revision: String
    /// The id that it had; `nil` for a new one.
    var original: String?
    var action: ActionForm
  }

  struct ActionName: Decodable {
    var revision: String
    var id: String
    var isArchived: Bool?
  }

  func saveAction(_ change: ActionChange) async throws -> ConsoleResponse {
    var form = change.action
    return try await edit(change.revision) { configuration in
      if form.id.isEmpty { form.id = configuration.actions.freeID(for: form.name) }
      let action = try form.action()
      let known = Set(configuration.connectors.map(\.id))
      if let missing = action.routing.connectors.first(where: { !known.contains($0) }) {
        throw APIError(422, "There is no connector “\(missing)”.")
      }
      if let original = change.original {
        try configuration.actions.edit(original) { $0 = action }
      } else {
        try configuration.actions.add(action)
      }
    }
  }

  func cloneAction(_ name: ActionName) async throws -> ConsoleResponse {
    try await edit(name.revision) { try $0.actions.clone(name.id) }
  }

  func archiveAction(_ name: ActionName) async throws -> ConsoleResponse {
    try await edit(name.revision) { try $0.actions.archive(name.id, name.isArchived ?? true) }
  }

  func makeDefault(_ name: ActionName) async throws -> ConsoleResponse {
    try await edit(name.revision) { try $0.actions.makeDefault(name.id) }
  }

  /// Changes what the page was shown, and answers with what is configured then.
  func edit(
    _ revision: String, _ change: (inout ActionConfiguration) throws -> Void
  ) async throws -> ConsoleResponse {
    let snapshot = try states.snapshot(revision)
    var configuration = snapshot.configuration
    try change(&configuration)
    let saved = try await services.configuration.save(configuration, basedOn: snapshot)
    return .json(try await view(of: saved))
  }
}

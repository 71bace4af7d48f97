import SpeechActions

extension ConsoleAPI {
  struct ActionChange: Decodable {
    var revision: String
    /// The previous id; `nil` for a new action.
    var original: String?
    var action: Form
  }

  struct ActionName: Decodable {
    var revision: String
    var id: String
    var isArchived: Bool?
  }

  func saveAction(_ change: ActionChange) async throws -> ConsoleResponse {
    try await edit(change.revision) { configuration in
      var id = change.action["id"]?.stringValue ?? ""
      if id.isEmpty {
        id = configuration.actions.freeID(for: change.action["name"]?.stringValue ?? "")
      }
      let action = try TextAction(change.action, id: id)
      // Templates are checked here, so that the page can show the position of an error.
      for template in [action.prompt, action.system] { _ = try PromptTemplate(template) }
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

  /// Changes the configuration that the page shows, and returns the new state.
  ///
  /// - Throws: `APIError` with the status 409 if the page shows an earlier configuration.
  func edit(
    _ revision: String, _ change: (inout ActionConfiguration) throws -> Void
  ) async throws -> ConsoleResponse {
    let snapshot = try await services.configuration.load()
    guard snapshot.revision == revision else {
      throw APIError(
        409,
        "The configuration changed after this page was loaded, so nothing was saved. Load the page "
          + "again and repeat your change.")
    }
    var configuration = snapshot.configuration
    try change(&configuration)
    let saved = try await services.configuration.save(configuration, basedOn: snapshot)
    return .json(try await view(of: saved))
  }
}

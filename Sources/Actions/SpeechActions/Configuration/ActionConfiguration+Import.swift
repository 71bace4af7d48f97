extension ActionConfiguration {
  /// A rule for imported entries whose ids exist.
  package enum Clash: String, Sendable, Hashable, CaseIterable {
    case keep
    case replace
    /// Keeps both, and gives the imported entry another id and name.
    case rename
  }

  /// The result of an import, by ids.
  package struct ImportSummary: Sendable, Hashable {
    package var added: [String] = []
    package var replaced: [String] = []
    /// The imported entries that were ignored.
    package var kept: [String] = []
    /// The imported entries with their new ids.
    package var renamed: [String: String] = [:]
  }

  /// Imports the actions and connectors of another configuration. Identical entries are skipped.
  ///
  /// - Throws: `ActionError.invalidName` if a name is used by an entry with another id.
  package mutating func take(
    _ other: ActionConfiguration, onClash clash: Clash = .keep
  ) throws -> ImportSummary {
    var copy = self
    var summary = ImportSummary()
    for connector in other.connectors {
      guard let index = copy.connectors.firstIndex(where: { $0.id == connector.id }) else {
        copy.connectors.append(connector)
        summary.added.append(connector.id)
        continue
      }
      if copy.connectors[index] == connector { continue }
      switch clash {
      case .keep: summary.kept.append(connector.id)
      case .replace:
        copy.connectors[index] = connector
        summary.replaced.append(connector.id)
      case .rename:
        var renamed = connector
        renamed.id = copy.freeConnectorID(for: connector.id)
        renamed.name =
          renamed.name == connector.id ? renamed.id : "\(connector.name) (\(renamed.id))"
        copy.connectors.append(renamed)
        summary.renamed[connector.id] = renamed.id
      }
    }
    let newConnectorIDs = summary.renamed
    for var action in other.actions.all {
      action.routing.connectors = action.routing.connectors.map { newConnectorIDs[$0] ?? $0 }
      guard let present = copy.actions.all.first(where: { $0.id == action.id }) else {
        try copy.actions.add(action)
        summary.added.append(action.id)
        continue
      }
      if present == action { continue }
      switch clash {
      case .keep: summary.kept.append(action.id)
      case .replace:
        try copy.actions.edit(action.id) { $0 = action }
        summary.replaced.append(action.id)
      case .rename:
        let id = copy.actions.freeID(for: action.id)
        summary.renamed[action.id] = id
        action.id = id
        if copy.actions.all.contains(where: { $0.name.lowercased() == action.name.lowercased() }) {
          action.name = "\(action.name) (\(id))"
        }
        try copy.actions.add(action)
      }
    }
    self = copy
    return summary
  }

  /// Returns the connector with an id or, ignoring case, with a name.
  ///
  /// - Throws: `ActionError.notFound`, with the nearest name.
  public func connector(_ name: String) throws(ActionError) -> Connector {
    let names = connectors.map { (id: $0.id, name: $0.name) }
    return connectors[try Identifier.index(of: name, in: names, noun: "connector")]
  }

  /// Returns an unused connector id that resembles a name.
  package func freeConnectorID(for name: String) -> String {
    Identifier.free(for: name, besides: connectors.map(\.id))
  }
}

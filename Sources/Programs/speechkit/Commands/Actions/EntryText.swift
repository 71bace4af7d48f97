import SpeechActions
import SpeechKit

/// One action or connector as it stands in the file of actions, for a person to look at and to change.
enum EntryText {
  /// An action as it is written.
  static func text(of action: TextAction) throws -> String {
    // Connectors come before actions, and these say nothing that could look like the action's heading.
    let named = Set(action.routing.connectors).sorted()
    return try entry(
      "action.\(action.id)",
      in: ActionConfiguration(
        actions: ActionLibrary([action]),
        connectors: named.map { Connector(id: $0, kind: .onDevice) }))
  }

  /// A connector as it is written.
  static func text(of connector: Connector) throws -> String {
    try entry(
      "connector.\(connector.id)",
      in: ActionConfiguration(actions: ActionLibrary(), connectors: [connector]))
  }

  /// The action that is written there.
  ///
  /// - Parameter connectors: those that it may name.
  /// - Throws: `ActionError.configuration`, the faults with their lines in that text.
  static func action(in text: String, connectors: [Connector]) throws -> TextAction {
    let others = connectors.map { "\n[connector.\($0.id)]\nkind = \"on-device\"\n" }.joined()
    // Without an action in it a configuration has the ready-made ones.
    let actions = try configuration(in: text, others).actions.all
    guard actions.count == 1, text.contains("[action."), let action = actions.first else {
      throw ActionError.invalidName("There has to be one [action.NAME] here, and nothing else.")
    }
    return action
  }

  /// The connector that is written there.
  ///
  /// - Throws: `ActionError.configuration`, the faults with their lines in that text.
  static func connector(in text: String) throws -> Connector {
    let connectors = try configuration(in: text).connectors
    guard connectors.count == 1, let connector = connectors.first else {
      throw ActionError.invalidName("There has to be one [connector.NAME] here, and nothing else.")
    }
    return connector
  }

  private static func entry(_ path: String, in configuration: ActionConfiguration) throws -> String
  {
    let text = try ConfigurationText.text(of: configuration)
    guard let start = text.range(of: "\n[\(path)]\n") else { return text }
    return String(text[text.index(after: start.lowerBound)...])
  }

  private static func configuration(
    in text: String, _ others: String = ""
  ) throws(ActionError) -> ActionConfiguration {
    do throws(ActionError) {
      return try ConfigurationText.configuration(in: "version = 1\n" + text + others)
    } catch {
      guard case .configuration(let faults) = error else { throw error }
      let last = text.split(separator: "\n", omittingEmptySubsequences: false).count
      throw .configuration(
        faults.map { fault in
          var fault = fault
          // Without the line that went before, nor beyond what is looked at.
          fault.line = min(max(fault.line - 1, 1), last)
          return fault
        })
    }
  }
}

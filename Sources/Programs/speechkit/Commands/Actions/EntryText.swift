#if Cloud
import SpeechActions
import SpeechKit

/// One action or connector in the format of the configuration file, for the user to view and edit.
enum EntryText {
  static func text(of action: TextAction) throws -> String {
    // Connectors precede actions, and these contain nothing that could look like the action's
    // heading.
    let named = Set(action.routing.connectors).sorted()
    return try entry(
      "action.\(action.id)",
      in: ActionConfiguration(
        actions: ActionLibrary([action]),
        connectors: named.map { Connector(id: $0, kind: .onDevice) }))
  }

  static func text(of connector: Connector) throws -> String {
    try entry(
      "connector.\(connector.id)",
      in: ActionConfiguration(actions: ActionLibrary(), connectors: [connector]))
  }

  /// Reads an action.
  ///
  /// - Parameter connectors: The connectors that it may name.
  /// - Throws: `ActionError.configuration` with the lines of that text.
  static func action(in text: String, connectors: [Connector]) throws -> TextAction {
    let others = connectors.map { "\n[connector.\($0.id)]\nkind = \"on-device\"\n" }.joined()
    // A configuration without actions has the built-in ones.
    let actions = try configuration(in: text, others).actions.all
    guard actions.count == 1, text.contains("[action."), let action = actions.first else {
      throw ActionError.invalidName("The text must contain one [action.NAME] and nothing else.")
    }
    return action
  }

  /// Reads a connector.
  ///
  /// - Throws: `ActionError.configuration` with the lines of that text.
  static func connector(in text: String) throws -> Connector {
    let connectors = try configuration(in: text).connectors
    guard connectors.count == 1, let connector = connectors.first else {
      throw ActionError.invalidName("The text must contain one [connector.NAME] and nothing else.")
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
      guard case .configuration(let diagnostics) = error else { throw error }
      let last = text.split(separator: "\n", omittingEmptySubsequences: false).count
      throw .configuration(
        diagnostics.map { diagnostic in
          var diagnostic = diagnostic
          // Does not count the line that was prepended, nor lines that were appended.
          diagnostic.line = min(max(diagnostic.line - 1, 1), last)
          return diagnostic
        })
    }
  }
}
#endif

/// All that is configured: actions, connectors, and which action is the default.
///
/// ```swift
/// var configuration = ActionConfiguration()
/// configuration.connectors.append(Connector(id: "local", kind: .onDevice))
/// try configuration.actions.add(.summarise)
/// ```
public struct ActionConfiguration: Sendable, Hashable {
  /// The actions.
  public var actions: ActionLibrary
  /// The connectors, in the order in which they are asked.
  public var connectors: [Connector]

  /// A configuration; without anything given the ready-made actions and no connector.
  public init(actions: ActionLibrary = .builtIn, connectors: [Connector] = []) {
    self.actions = actions
    self.connectors = connectors
  }
}

/// A configuration as it was at some moment.
public struct ConfigurationSnapshot: Sendable, Hashable {
  /// What is configured.
  public var configuration: ActionConfiguration
  /// The text of the file; empty if there is none.
  public let text: String

  /// A name for this state of the file, the same for the same text.
  package var revision: String { TextDigest.name(of: text) }
}

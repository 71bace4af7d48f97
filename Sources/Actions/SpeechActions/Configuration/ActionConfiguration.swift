import Foundation
import ServiceCredentials

/// The complete configuration: actions, the default action, and connectors.
///
/// ```swift
/// var configuration = ActionConfiguration()
/// configuration.connectors.append(Connector(id: "local", kind: .onDevice))
/// try configuration.actions.add(.summarise)
/// ```
public struct ActionConfiguration: Sendable, Hashable {
  /// The user's actions, in order.
  public var actions: ActionLibrary
  /// The connectors, in the order in which they are asked.
  public var connectors: [Connector]

  /// Creates a configuration. Without arguments it has the built-in actions and no connectors.
  public init(actions: ActionLibrary = .builtIn, connectors: [Connector] = []) {
    self.actions = actions
    self.connectors = connectors
  }
}

/// A configuration together with the text it was read from.
public struct ConfigurationSnapshot: Sendable, Hashable {
  /// The configuration in the text.
  public var configuration: ActionConfiguration
  /// The text of the file; empty if there is none.
  public let text: String

  /// An identifier of the text; equal texts have the same.
  package var revision: String { Digest.sha256(Data(text.utf8)) }
}

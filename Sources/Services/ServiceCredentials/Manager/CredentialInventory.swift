/// All credentials, with the places that they are in.
package struct CredentialInventory: Sendable {
  /// A credential in a place.
  package struct Item: Sendable {
    /// What is known of it.
    package let credential: AICredential
    /// The name of the place.
    package let source: String
    /// Whether this is the one that is used; `false` where a place that is asked earlier has one of the same
    /// provider and type.
    package let isUsed: Bool
  }

  /// A place that could not be looked through.
  package struct Failure: Sendable {
    /// The name of the place.
    package let source: String
    /// Why not.
    package let error: any Error
  }

  /// What was found, by provider, and then in the order in which places are asked.
  package internal(set) var items: [Item] = []
  /// What could not be looked through.
  package internal(set) var failures: [Failure] = []
}

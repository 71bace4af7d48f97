/// All credentials with their sources.
package struct CredentialInventory: Sendable {
  /// A credential in a source.
  package struct Item: Sendable {
    /// The description of the credential.
    package let credential: AICredential
    /// The name of the source.
    package let source: String
    /// True if this credential is in use; false if an earlier source has one for the same provider
    /// and type.
    package let isUsed: Bool
  }

  /// A source that could not be listed.
  package struct Failure: Sendable {
    /// The name of the source.
    package let source: String
    /// The error of the source.
    package let error: any Error
  }

  /// The credentials by provider, and then in order of precedence.
  package internal(set) var items: [Item] = []
  /// The sources that could not be listed.
  package internal(set) var failures: [Failure] = []
}

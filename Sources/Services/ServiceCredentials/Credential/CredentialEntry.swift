/// A secret together with its description.
public struct CredentialEntry: Sendable {
  /// The description of the secret.
  public var credential: AICredential
  /// The secret, in protected memory.
  public var value: SecureString

  /// Creates an entry of a store.
  public init(credential: AICredential, value: SecureString) {
    self.credential = credential
    self.value = value
  }
}

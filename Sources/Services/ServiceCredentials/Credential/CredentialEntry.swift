/// A secret, and what is known of it.
public struct CredentialEntry: Sendable {
  /// What is known of it.
  public var credential: AICredential
  /// The secret.
  public var value: SecureString

  /// An entry.
  public init(credential: AICredential, value: SecureString) {
    self.credential = credential
    self.value = value
  }
}

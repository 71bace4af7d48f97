/// What kind of secret a credential is.
public enum AICredentialType: String, Sendable, Codable, CaseIterable {
  /// A key for a service's interface.
  case apiKey = "api_key"
  /// A token that a service gave out.
  case oauthToken = "oauth_token"
  /// A certificate with its private key, as text (PEM).
  case certificate = "certificate"
  /// Something else.
  case custom = "custom"
}

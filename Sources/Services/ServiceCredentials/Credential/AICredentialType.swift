/// The kind of secret that a credential holds.
public enum AICredentialType: String, Sendable, Codable, CaseIterable {
  /// An API key of a service.
  case apiKey = "api_key"
  /// A token issued by a service.
  case oauthToken = "oauth_token"
  /// A certificate with its private key, as text (PEM).
  case certificate = "certificate"
  /// Any other kind of secret.
  case custom = "custom"
}

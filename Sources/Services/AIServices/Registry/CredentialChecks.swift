/// Checks of keys, by provider.
package struct CredentialChecks: Sendable {
  /// Returns if the service accepts the key. Throws `AIServiceError.authenticationFailed` if it
  /// does not, and other errors if it could not be asked. No error message contains the key.
  package typealias Check = @Sendable (SecureString) async throws -> Void

  /// The checks of the built-in services.
  package static let standard = CredentialChecks([
    "openai": {
      try await OpenAIProvider(credentialManager: try await .holding($0, for: "openai"))
        .checkAccess()
    },
    "anthropic": {
      try await AnthropicProvider(credentialManager: try await .holding($0, for: "anthropic"))
        .checkAccess()
    },
    "elevenlabs": {
      try await ElevenLabsProvider(credentialManager: try await .holding($0, for: "elevenlabs"))
        .checkAccess()
    },
  ])

  private let checks: [String: Check]

  /// Creates checks by provider.
  package init(_ checks: [String: Check]) {
    self.checks = checks
  }

  /// The check for a provider; `nil` if there is none.
  package func check(for providerID: String) -> Check? { checks[providerID] }
}

extension AICredentialManager {
  /// A manager that contains this key only.
  fileprivate static func holding(
    _ key: SecureString, for providerID: String
  ) async throws -> AICredentialManager {
    let manager = AICredentialManager()
    try await manager.store(
      credential: AICredential(providerID: providerID, type: .apiKey, name: providerID), value: key)
    return manager
  }
}

/// Asks services whether they take a key, each in its own way.
///
/// ```swift
/// let checks = CredentialChecks(["openai": { key in try await listModels(with: key) }])
/// try await checks.check(for: "openai")?(key)
/// ```
package struct CredentialChecks: Sendable {
  /// Returns when the service took the key. Throws `AIServiceError.authenticationFailed` when it did not,
  /// and other errors when it could not be asked. No error's text holds the key.
  package typealias Check = @Sendable (SecureString) async throws -> Void

  /// The checks of the services that come with this library.
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

  /// Checks by provider.
  package init(_ checks: [String: Check]) {
    self.checks = checks
  }

  /// The providers that can be asked.
  package var providerIDs: [String] { checks.keys.sorted() }

  /// How to ask that provider; `nil` when that is not known.
  package func check(for providerID: String) -> Check? { checks[providerID] }
}

extension AICredentialManager {
  /// A manager that knows nothing but this key.
  fileprivate static func holding(
    _ key: SecureString, for providerID: String
  ) async throws -> AICredentialManager {
    let manager = AICredentialManager()
    try await manager.store(
      credential: AICredential(providerID: providerID, type: .apiKey, name: providerID), value: key)
    return manager
  }
}

/// A source of secrets.
///
/// Laws: a missing secret is `nil`, not an error; a source that does not exist on this system, such
/// as the keyring of a desktop where there is none, throws `AICredentialError.storeUnavailable`,
/// and the next source is asked; listing needs no secrets and never prompts for a password; no
/// error message contains a secret.
public protocol CredentialSource: Sendable {
  /// The name of the source, for users.
  var name: String { get }

  /// Returns the secret, or `nil` if the source does not have it.
  func entry(for id: CredentialID) async throws -> CredentialEntry?

  /// Describes all secrets of the source.
  func list() async throws -> [AICredential]

  /// Describes the secrets of a provider.
  func list(for providerID: String) async throws -> [AICredential]
}

extension CredentialSource {
  /// Filters the full list by provider.
  public func list(for providerID: String) async throws -> [AICredential] {
    try await list().filter { $0.providerID == providerID }
  }
}

/// A source that can also store secrets.
///
/// Laws: a change is complete or does not happen, even if the process is killed; simultaneous
/// changes of one secret by this process do not undo each other.
public protocol CredentialStore: CredentialSource {
  /// Replaces the current entry by the result of the body.
  ///
  /// - Parameter body: receives the current entry, or `nil` if there is none, and returns the new
  ///   one, or `nil` to remove it. It may be called more than once. Its errors are rethrown, and
  ///   then nothing changes.
  func change(
    _ id: CredentialID,
    _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
  ) async throws
}

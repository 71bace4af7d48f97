import SpeechConcurrency

/// Keeps secrets in memory, for tests and for programs that obtain their keys elsewhere.
public final class InMemoryCredentialStore: CredentialStore {
  /// The name of this store, `memory`.
  public let name = "memory"
  private let entries = Guarded<[CredentialID: CredentialEntry]>([:])

  /// Creates an empty store.
  public init() {}

  /// Returns a copy of the secret, or `nil` if it is not stored.
  public func entry(for id: CredentialID) async throws -> CredentialEntry? {
    // Copies, so that a caller who clears a secret does not empty the store.
    entries.withLock { $0[id] }?.copy()
  }

  /// Describes all stored secrets.
  public func list() async throws -> [AICredential] {
    entries.withLock { $0.values.map(\.credential) }
  }

  /// Replaces the current entry by the result of the body.
  public func change(
    _ id: CredentialID,
    _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
  ) async throws {
    try entries.withLock { entries in entries[id] = try body(entries[id])?.copy() }
  }
}

extension CredentialEntry {
  fileprivate func copy() -> CredentialEntry {
    CredentialEntry(credential: credential, value: value.copy())
  }
}

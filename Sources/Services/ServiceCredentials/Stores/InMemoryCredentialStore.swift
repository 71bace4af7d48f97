import SpeechConcurrency

/// Keeps secrets for as long as it lives itself, and nowhere else; for tests, and for programs that get
/// their keys from elsewhere.
public final class InMemoryCredentialStore: CredentialStore {
  /// “memory”.
  public let name = "memory"
  private let entries = Guarded<[CredentialID: CredentialEntry]>([:])

  /// A store with nothing in it.
  public init() {}

  /// The secret, if it is there.
  public func entry(for id: CredentialID) async throws -> CredentialEntry? {
    // Copies go in and out, so that whoever clears what is theirs does not empty the store.
    entries.withLock { $0[id] }?.copy()
  }

  /// What there is.
  public func list() async throws -> [AICredential] {
    entries.withLock { $0.values.map(\.credential) }
  }

  /// Puts what the body makes of the present entry in its place.
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

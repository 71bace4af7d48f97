import AIServices
import SpeechConcurrency

/// The secrets that were seen while traffic was recorded.
final class SeenSecrets: Sendable {
  private let secrets = Guarded<[SecureString]>([])

  var all: [SecureString] { secrets.withLock { $0 } }

  func note(_ seen: [SecureString]) {
    // Copies, because the caller may clear the originals.
    for secret in seen.map({ $0.copy() }) {
      secrets.withLock { secrets in
        if !secrets.contains(secret) { secrets.append(secret) }
      }
    }
  }
}

/// A source of credentials whose secrets are noted; a store if the source is one.
struct WatchedCredentials<Source: CredentialSource>: CredentialSource {
  let source: Source
  let seen: SeenSecrets

  var name: String { source.name }

  func entry(for id: CredentialID) async throws -> CredentialEntry? {
    let entry = try await source.entry(for: id)
    seen.note(entry.map { [$0.value] } ?? [])
    return entry
  }

  func list() async throws -> [AICredential] { try await source.list() }

  func list(for providerID: String) async throws -> [AICredential] {
    try await source.list(for: providerID)
  }
}

extension WatchedCredentials: CredentialStore where Source: CredentialStore {
  func change(
    _ id: CredentialID,
    _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
  ) async throws {
    try await source.change(id, body)
  }
}

import AIServices

/// A source of credentials that reports the keys it returns.
struct WatchedSource: CredentialSource {
  private let source: any CredentialSource
  private let tape: TrafficTape

  init(_ source: any CredentialSource, _ tape: TrafficTape) {
    self.source = source
    self.tape = tape
  }

  var name: String { source.name }

  func entry(for id: CredentialID) async throws -> CredentialEntry? {
    let entry = try await source.entry(for: id)
    if let entry { tape.note(entry.value) }
    return entry
  }

  func list() async throws -> [AICredential] { try await source.list() }

  func list(for providerID: String) async throws -> [AICredential] {
    try await source.list(for: providerID)
  }
}

/// The same for a source that also stores keys.
struct WatchedStore: CredentialStore {
  private let store: any CredentialStore
  private let source: WatchedSource

  init(_ store: any CredentialStore, _ tape: TrafficTape) {
    self.store = store
    source = WatchedSource(store, tape)
  }

  var name: String { store.name }

  func entry(for id: CredentialID) async throws -> CredentialEntry? {
    try await source.entry(for: id)
  }

  func list() async throws -> [AICredential] { try await store.list() }

  func list(for providerID: String) async throws -> [AICredential] {
    try await store.list(for: providerID)
  }

  func change(
    _ id: CredentialID,
    _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
  ) async throws {
    try await store.change(id, body)
  }
}

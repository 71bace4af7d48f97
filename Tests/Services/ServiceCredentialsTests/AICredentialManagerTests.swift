import Foundation
import Testing

@testable import ServiceCredentials

struct AICredentialManagerTests {
  private func credential(
    _ providerID: String = "openai", _ name: String = "Key", expiresAt: Date? = nil
  ) -> AICredential {
    AICredential(providerID: providerID, type: .apiKey, name: name, expiresAt: expiresAt)
  }

  /// A store that always fails with the same error.
  private struct FailingStore: CredentialStore {
    var name = "failing"
    var error: any Error

    func entry(for id: CredentialID) async throws -> CredentialEntry? { throw error }
    func list() async throws -> [AICredential] { throw error }
    func change(
      _ id: CredentialID, _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
    ) async throws { throw error }
  }

  /// A store that lists its credentials, but is locked.
  private struct LockedStore: CredentialStore {
    static let error = AICredentialError.storeLocked("closed")
    var name = "locked"
    var credentials: [AICredential]

    func entry(for id: CredentialID) async throws -> CredentialEntry? {
      if credentials.contains(where: { $0.isAbout(id) }) { throw Self.error }
      return nil
    }
    func list() async throws -> [AICredential] { credentials }
    func change(
      _ id: CredentialID, _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
    ) async throws { throw Self.error }
  }

  private static let absent = FailingStore(error: AICredentialError.storeUnavailable("not here"))
  private static let locked = FailingStore(error: AICredentialError.storeLocked("locked"))

  // MARK: - In memory

  @Test func `a manager without arguments is empty and stores in memory`() async throws {
    let manager = AICredentialManager()
    await #expect(throws: AICredentialError.notFound(providerID: "openai")) {
      _ = try await manager.retrieve(providerID: "openai", type: .apiKey)
    }
    #expect(await !manager.has(providerID: "openai", type: .apiKey))
    try await manager.store(credential: credential(), value: SecureString(" sk-your-key-here\n"))
    let key = try await manager.retrieve(providerID: "openai", type: .apiKey)
    #expect(key.value == "sk-your-key-here")
    #expect(await manager.has(providerID: "openai", type: .apiKey))
    #expect(await !manager.has(providerID: "openai", type: .oauthToken))
    #expect(await AICredentialManager().listAll().isEmpty)
  }

  @Test func `storing again replaces the secret`() async throws {
    let manager = AICredentialManager()
    try await manager.store(credential: credential("openai", "Old"), value: SecureString("sk-1"))
    try await manager.store(credential: credential("openai", "New"), value: SecureString("sk-2"))
    #expect(try await manager.retrieve(providerID: "openai", type: .apiKey).value == "sk-2")
    #expect(await manager.list(for: "openai").map(\.name) == ["New"])
  }

  @Test func `updating changes only the secret and its date`() async throws {
    let moment = Date(timeIntervalSince1970: 1_900_000_000)
    let manager = AICredentialManager(sources: [InMemoryCredentialStore()]) { moment }
    let old = credential()
    await #expect(throws: AICredentialError.notFound(providerID: "openai")) {
      try await manager.update(providerID: "openai", type: .apiKey, value: SecureString("x"))
    }
    try await manager.store(credential: old, value: SecureString("sk-1"))
    try await manager.update(providerID: "openai", type: .apiKey, value: SecureString("sk-2"))
    #expect(try await manager.retrieve(providerID: "openai", type: .apiKey).value == "sk-2")
    var expected = old
    expected.updatedAt = moment
    #expect(await manager.list(for: "openai") == [expected])
  }

  @Test func `an expired credential is not returned, and can be extended`() async throws {
    let moment = Date(timeIntervalSince1970: 1_900_000_000)
    let manager = AICredentialManager(sources: [InMemoryCredentialStore()]) { moment }
    try await manager.store(
      credential: credential(expiresAt: moment.addingTimeInterval(1)), value: SecureString("sk-1"))
    _ = try await manager.retrieve(providerID: "openai", type: .apiKey)
    try await manager.updateExpiration(providerID: "openai", type: .apiKey, expiresAt: moment)
    await #expect(throws: AICredentialError.expired(providerID: "openai")) {
      _ = try await manager.retrieve(providerID: "openai", type: .apiKey)
    }
    #expect(await manager.has(providerID: "openai", type: .apiKey))
    try await manager.updateExpiration(providerID: "openai", type: .apiKey, expiresAt: nil)
    #expect(try await manager.retrieve(providerID: "openai", type: .apiKey).value == "sk-1")
  }

  @Test func `a secret can be deleted once`() async throws {
    let manager = AICredentialManager()
    try await manager.store(credential: credential(), value: SecureString("sk-1"))
    try await manager.delete(providerID: "openai", type: .apiKey)
    await #expect(throws: AICredentialError.notFound(providerID: "openai")) {
      try await manager.delete(providerID: "openai", type: .apiKey)
    }
  }

  @Test func `types of credentials are separate`() async throws {
    let manager = AICredentialManager()
    for type in AICredentialType.allCases {
      try await manager.store(
        credential: AICredential(providerID: "p", type: type, name: type.rawValue),
        value: SecureString(type.rawValue))
    }
    for type in AICredentialType.allCases {
      #expect(try await manager.retrieve(providerID: "p", type: type).value == type.rawValue)
    }
    #expect(await manager.list(for: "p").count == 4)
  }

  @Test func `an invalid secret is not stored`() async throws {
    let manager = AICredentialManager()
    for value in ["", " \n", "sk-\ncanary"] {
      await #expect(throws: AICredentialError.self) {
        try await manager.store(credential: credential(), value: SecureString(value))
      }
    }
    await #expect(throws: AICredentialError.self) {
      try await manager.store(credential: credential("a\nb"), value: SecureString("sk-1"))
    }
    #expect(await manager.listAll().isEmpty)
  }

  @Test func `a thousand concurrent stores all succeed`() async throws {
    let manager = AICredentialManager()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          try await manager.store(
            credential: credential("p\(number)"), value: SecureString("sk-\(number)"))
          let found = try await manager.retrieve(providerID: "p\(number)", type: .apiKey)
          #expect(found.value == "sk-\(number)")
        }
      }
      try await group.waitForAll()
    }
    #expect(await manager.listAll().count == 1_000)
  }

  // MARK: - Order

  @Test func `sources are asked in the documented order`() async throws {
    let workshop = try PrivateWorkshop()
    try FileManager.default.createDirectory(
      atPath: workshop.path("systemd"), withIntermediateDirectories: false)
    let desktop = InMemoryCredentialStore()
    let file = FileCredentialStore(folder: workshop.folder.appending(path: "file"))
    let systemd = SystemdCredentials(["CREDENTIALS_DIRECTORY": workshop.path("systemd")])
    func manager(_ environment: [String: String] = [:]) -> AICredentialManager {
      AICredentialManager(sources: [systemd, EnvironmentCredentials(environment), desktop, file])
    }
    func found(_ environment: [String: String] = [:]) async throws -> String {
      try await manager(environment).retrieve(providerID: "openai", type: .apiKey).value
    }
    let alone = AICredentialManager(sources: [file])
    #expect(
      try await alone.store(credential: credential(), value: SecureString("of-file")) == "file")
    #expect(try await found() == "of-file")
    #expect(
      try await manager().store(credential: credential(), value: SecureString("of-desktop"))
        == "memory")
    #expect(try await found() == "of-desktop")
    // The older one is removed.
    #expect(await alone.listAll().isEmpty)
    #expect(try await found(["OPENAI_API_KEY": "of-environment"]) == "of-environment")
    #expect(try await found(["OPENAI_API_KEY": ""]) == "of-desktop")
    try workshop.write("of-systemd\n", to: "systemd/openai")
    #expect(try await found(["OPENAI_API_KEY": "of-environment"]) == "of-systemd")
  }

  @Test func `a store that becomes available later is used`() async throws {
    let workshop = try PrivateWorkshop()
    let file = FileCredentialStore(folder: workshop.folder.appending(path: "file"))
    let manager = AICredentialManager(sources: [Self.absent, file])
    #expect(
      try await manager.store(credential: credential(), value: SecureString("sk-1")) == "file")
    #expect(try await manager.retrieve(providerID: "openai", type: .apiKey).value == "sk-1")
    try await manager.update(providerID: "openai", type: .apiKey, value: SecureString("sk-2"))
    #expect(await manager.inventory().failures.isEmpty)
    try await manager.delete(providerID: "openai", type: .apiKey)
    #expect(await manager.listAll().isEmpty)
  }

  @Test func `without any store the error gives the reason`() async throws {
    let manager = AICredentialManager(sources: [Self.absent])
    await #expect(throws: AICredentialError.storeUnavailable("not here")) {
      try await manager.store(credential: credential(), value: SecureString("sk-1"))
    }
    await #expect(throws: AICredentialError.notFound(providerID: "openai")) {
      _ = try await manager.retrieve(providerID: "openai", type: .apiKey)
    }
    await #expect(throws: AICredentialError.self) {
      try await AICredentialManager(sources: []).store(
        credential: credential(), value: SecureString("sk-1"))
    }
  }

  @Test func `a locked store is skipped only if another has the secret`() async throws {
    let file = InMemoryCredentialStore()
    let manager = AICredentialManager(sources: [Self.locked, file])
    await #expect(throws: AICredentialError.storeLocked("locked")) {
      _ = try await manager.retrieve(providerID: "openai", type: .apiKey)
    }
    // It may already have one, which would take precedence once it is unlocked.
    await #expect(throws: AICredentialError.storeLocked("locked")) {
      try await manager.store(credential: credential(), value: SecureString("sk-1"))
    }
    #expect(try await file.list().isEmpty)
    try await AICredentialManager(sources: [file]).store(
      credential: credential(), value: SecureString("sk-2"))
    #expect(try await manager.retrieve(providerID: "openai", type: .apiKey).value == "sk-2")
    let inventory = await manager.inventory()
    #expect(inventory.items.map(\.source) == ["memory"])
    #expect(inventory.failures.map(\.source) == ["failing"])
  }

  @Test func `a locked store passes a new secret to the next, unless it has one already`()
    async throws
  {
    let file = InMemoryCredentialStore()
    let locked = LockedStore(credentials: [credential("openai")])
    let manager = AICredentialManager(sources: [locked, file])
    #expect(
      try await manager.store(credential: credential("groq"), value: SecureString("sk-1"))
        == "memory")
    #expect(try await manager.retrieve(providerID: "groq", type: .apiKey).value == "sk-1")
    await #expect(throws: LockedStore.error) {
      try await manager.store(credential: credential("openai"), value: SecureString("sk-2"))
    }
    #expect(try await file.list().map(\.providerID) == ["groq"])
    // Without another store the error is reported.
    await #expect(throws: LockedStore.error) {
      try await AICredentialManager(sources: [Self.absent, locked]).store(
        credential: credential("groq"), value: SecureString("sk-3"))
    }
  }

  @Test func `a malformed key is not replaced by one of a later source`() async throws {
    let store = InMemoryCredentialStore()
    let manager = AICredentialManager(
      sources: [EnvironmentCredentials(["OPENAI_API_KEY": "canary\u{1}"]), store])
    try await manager.store(credential: credential(), value: SecureString("sk-1"))
    let error = try await #require(throws: AICredentialError.self) {
      _ = try await manager.retrieve(providerID: "openai", type: .apiKey)
    }
    guard case .invalidFormat = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `a read-only source is not changed, and is named`() async throws {
    let manager = AICredentialManager(
      sources: [EnvironmentCredentials(["OPENAI_API_KEY": "sk-1"]), InMemoryCredentialStore()])
    let expected = AICredentialError.readOnly(providerID: "openai", source: "environment")
    await #expect(throws: expected) {
      try await manager.update(providerID: "openai", type: .apiKey, value: SecureString("x"))
    }
    await #expect(throws: expected) {
      try await manager.delete(providerID: "openai", type: .apiKey)
    }
    await #expect(throws: expected) {
      try await manager.updateExpiration(providerID: "openai", type: .apiKey, expiresAt: nil)
    }
  }

  @Test func `the inventory marks the credentials in use`() async throws {
    let store = InMemoryCredentialStore()
    let manager = AICredentialManager(
      sources: [EnvironmentCredentials(["OPENAI_API_KEY": "sk-1"]), store])
    try await manager.store(credential: credential(), value: SecureString("sk-2"))
    try await manager.store(credential: credential("anthropic"), value: SecureString("sk-3"))
    let items = await manager.inventory().items.map {
      "\($0.credential.providerID) \($0.source) \($0.isUsed)"
    }
    #expect(items == ["anthropic memory true", "openai environment true", "openai memory false"])
    #expect(await manager.listAll().map(\.name) == ["Key", "OPENAI_API_KEY"])
    #expect(await manager.inventory(of: "openai").items.count == 2)
  }

  @Test func `a provider is found by its own name if the variable differs`() async throws {
    let manager = AICredentialManager(
      sources: [EnvironmentCredentials(["MY_GATEWAY_API_KEY": "sk-1"])])
    #expect(await manager.has(providerID: "my-gateway", type: .apiKey))
    #expect(await manager.list(for: "my-gateway").count == 1)
  }

  @Test func `cancellation is not wrapped`() async {
    let manager = AICredentialManager(sources: [
      FailingStore(error: CancellationError()), InMemoryCredentialStore(),
    ])
    await #expect(throws: CancellationError.self) {
      _ = try await manager.retrieve(providerID: "openai", type: .apiKey)
    }
  }

  // MARK: - Errors

  @Test(
    arguments: [
      .invalidFormat("x"), .expired(providerID: "p"), .notFound(providerID: "p"),
      .readOnly(providerID: "p", source: "s"), .storeUnavailable("x"), .storeLocked("x"),
      .insecureFile("x"), .corruptFile("x"), .storageFailed("x"),
    ] as [AICredentialError])
  func `each error has a message`(error: AICredentialError) {
    #expect(!error.localizedDescription.isEmpty)
  }

  @Test func `no error and no description shows a key`() async throws {
    let canary = "sk-canary-8f3a"
    let workshop = try PrivateWorkshop()
    let folder = workshop.folder.appending(path: "file")
    let manager = AICredentialManager(
      sources: [
        EnvironmentCredentials(["GROQ_API_KEY": canary, "BAD_API_KEY": canary + "\u{7}"]),
        FileCredentialStore(folder: folder),
      ])
    var seen: [String] = []
    func look(_ value: Any) {
      var dumped = ""
      dump(value, to: &dumped)
      seen += ["\(value)", String(reflecting: value), dumped]
      if let error = value as? any Error { seen.append(error.localizedDescription) }
    }
    func attempt(_ body: () async throws -> Any) async {
      do { look(try await body()) } catch { look(error) }
    }
    let secret = SecureString(canary)
    await attempt { try await manager.store(credential: credential(), value: secret) }
    await attempt { try await manager.retrieve(providerID: "openai", type: .apiKey) }
    await attempt { try await manager.retrieve(providerID: "bad", type: .apiKey) }
    await attempt { try await manager.delete(providerID: "groq", type: .apiKey) }
    await attempt {
      try await manager.store(credential: credential(), value: SecureString(canary + "\n\u{1}x"))
    }
    look(await manager.inventory())
    look(manager)
    seen.append(String(decoding: try JSONEncoder().encode(await manager.listAll()), as: UTF8.self))
    for damage in ["{\"secret\":\"\(canary)\"}", canary] {
      try workshop.write(damage, to: "file/credentials.json")
      await attempt { try await manager.retrieve(providerID: "openai", type: .apiKey) }
      await attempt { try await manager.store(credential: credential(), value: secret) }
      look(await manager.inventory())
    }
    chmod(folder.path, 0o755)
    await attempt { try await manager.retrieve(providerID: "openai", type: .apiKey) }
    await attempt { try await manager.store(credential: credential(), value: secret) }
    #expect(seen.count > 30)
    let encoded = Data(canary.utf8).base64EncodedString().prefix(12)
    for text in seen {
      #expect(!text.contains("canary"))
      #expect(!text.contains(encoded))
    }
  }
}

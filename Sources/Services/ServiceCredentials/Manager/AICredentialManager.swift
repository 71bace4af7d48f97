import Foundation

/// Keeps the secrets of services and gives them out.
///
/// It asks a list of places in order, anew at each call. The one for the whole program, `shared`, looks for
/// systemd's credentials, then at environment variables (`OPENAI_API_KEY`), then in the desktop's Secret
/// Service, then in a file that only the user may read; it stores in the Secret Service where that runs and
/// opens, and in the file otherwise. A manager that is made without arguments keeps all in memory, and is
/// empty at first.
///
/// ```swift
/// let credential = AICredential(providerID: "openai", type: .apiKey, name: "Production Key")
/// try await AICredentialManager.shared.store(credential: credential, value: SecureString("sk-…"))
/// let key = try await AICredentialManager.shared.retrieve(providerID: "openai", type: .apiKey)
/// ```
///
/// Errors are `AICredentialError`, whatever places of an app's own throw, and `CancellationError`.
public actor AICredentialManager {
  /// The one for the whole program.
  public static let shared = AICredentialManager(sources: standardSources)

  /// The places that `shared` asks, in that order.
  public static var standardSources: [any CredentialSource] {
    [
      SystemdCredentials(), EnvironmentCredentials(), SecretServiceStore(), FileCredentialStore(),
    ]
  }

  private let sources: [any CredentialSource]
  private let now: @Sendable () -> Date

  private var stores: [any CredentialStore] { sources.compactMap { $0 as? any CredentialStore } }

  /// A manager that keeps all in memory, and is empty at first.
  public init() {
    self.init(sources: [InMemoryCredentialStore()])
  }

  /// A manager that asks those places in that order, and stores in the first that is there and opens of
  /// those that are a `CredentialStore`.
  ///
  /// - Parameter now: tells the time, for what expires.
  public init(sources: [any CredentialSource], now: @escaping @Sendable () -> Date = { Date() }) {
    self.sources = sources
    self.now = now
  }

  /// Stores a secret, in the place of one for the same provider and type if there is one.
  ///
  /// White space at both ends is taken away. `value` stays as it is; clear it when you are done with it.
  /// Older secrets in places that are asked later are removed. One in a place that is only read and asked
  /// earlier, like an environment variable, still goes before it. A place that is locked, and that nobody
  /// unlocks when it asks for that, is passed over; unless it has, or may have, a secret for the same provider
  /// and type, which would go before the new one as soon as the place is unlocked.
  ///
  /// - Returns: the name of the place where it is now.
  /// - Throws: `AICredentialError.invalidFormat` when it cannot be a secret; what the place throws.
  @discardableResult
  public func store(credential: AICredential, value: SecureString) async throws -> String {
    let id = try CredentialID(credential)
    let value = try AICredentialValidator.validated(value, type: credential.type)
    var absence: (any Error)?
    var lock: (any Error)?
    for (index, store) in stores.enumerated() {
      do {
        try await store.change(id) { _ in CredentialEntry(credential: credential, value: value) }
      } catch let error as AICredentialError where error.isAbsence {
        absence = absence ?? error
        continue
      } catch let error as AICredentialError where error.isLock {
        guard try await !store.list(for: id.providerID).contains(where: { $0.isAbout(id) }) else {
          throw error
        }
        lock = lock ?? error
        continue
      }
      for later in stores.dropFirst(index + 1) {
        // What is left there is not used any more; that it could not be removed is no failure of storing.
        try? await later.change(id) { _ in nil }
      }
      return store.name
    }
    throw lock ?? absence
      ?? AICredentialError.storeUnavailable("This program has no place to store credentials in.")
  }

  /// Puts another secret in the place of the present one. All that is known of the credential stays, its
  /// expiry included, except for the date of the change.
  ///
  /// - Throws: `AICredentialError.notFound`; `readOnly` when the credential is in a place that cannot be
  ///   written to; `invalidFormat`; what the place throws.
  public func update(
    providerID: String, type: AICredentialType, value: SecureString
  ) async throws {
    let value = try AICredentialValidator.validated(value, type: type)
    let moment = now()
    try await changePresent(providerID, type) { entry in
      entry.value = value
      entry.credential.updatedAt = moment
    }
  }

  /// The secret.
  ///
  /// Places that do not exist here are passed over, and so are those that are locked or refused as unsafe;
  /// if no other place has the secret, their error is thrown.
  ///
  /// - Throws: `AICredentialError.notFound`; `expired`; `invalidFormat` when what was found cannot be a secret;
  ///   what the places throw.
  public func retrieve(providerID: String, type: AICredentialType) async throws -> SecureString {
    let id = try CredentialID(providerID: providerID, type: type)
    guard let entry = try await search({ try await $0.entry(for: id) }) else {
      throw AICredentialError.notFound(providerID: providerID)
    }
    guard !entry.credential.isExpired(at: now()) else {
      throw AICredentialError.expired(providerID: providerID)
    }
    return try AICredentialValidator.validated(entry.value, type: type)
  }

  /// Removes a secret from all places that can be written to.
  ///
  /// - Throws: `AICredentialError.notFound`; `readOnly` when it is in places only that cannot be written to;
  ///   what the places throw.
  public func delete(providerID: String, type: AICredentialType) async throws {
    let id = try CredentialID(providerID: providerID, type: type)
    var isDeleted = false
    var failure: (any Error)?
    for store in stores {
      do {
        guard try await store.list(for: providerID).contains(where: { $0.isAbout(id) }) else {
          continue
        }
        try await store.change(id) { _ in nil }
        isDeleted = true
      } catch let error as AICredentialError where error.isAbsence {
        continue
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    if !isDeleted { throw try await absence(of: id) }
  }

  /// Whether there is such a credential, expired or not; asks for no password.
  public func has(providerID: String, type: AICredentialType) async -> Bool {
    await list(for: providerID).contains { $0.type == type }
  }

  /// What is known of a provider's credentials that are used; asks for no password. Places that fail are
  /// passed over; `inventory(of:)` tells of them.
  public func list(for providerID: String) async -> [AICredential] {
    await inventory(of: providerID).items.filter(\.isUsed).map(\.credential)
  }

  /// What is known of all credentials that are used; asks for no password. Places that fail are passed over;
  /// `inventory()` tells of them.
  public func listAll() async -> [AICredential] {
    await inventory().items.filter(\.isUsed).map(\.credential)
  }

  /// All credentials, or those of a provider, with the places that they are in; asks for no password.
  package func inventory(of providerID: String? = nil) async -> CredentialInventory {
    var inventory = CredentialInventory()
    var found: [(credential: AICredential, source: String, rank: Int)] = []
    for (rank, source) in sources.enumerated() {
      do {
        let credentials =
          if let providerID {
            try await source.list(for: providerID)
          } else {
            try await source.list()
          }
        found += credentials.map { ($0, source.name, rank) }
      } catch let error as AICredentialError where error.isAbsence {
        continue
      } catch {
        inventory.failures.append(.init(source: source.name, error: error))
      }
    }
    found.sort {
      ($0.credential.providerID, $0.credential.type.rawValue, $0.rank)
        < ($1.credential.providerID, $1.credential.type.rawValue, $1.rank)
    }
    var last: AICredential?
    for (credential, source, _) in found {
      let isUsed = !(last?.providerID == credential.providerID && last?.type == credential.type)
      inventory.items.append(.init(credential: credential, source: source, isUsed: isUsed))
      last = credential
    }
    return inventory
  }

  /// Changes when a credential expires; `nil` for never.
  ///
  /// - Throws: as `update(providerID:type:value:)` does.
  public func updateExpiration(
    providerID: String, type: AICredentialType, expiresAt: Date?
  ) async throws {
    let moment = now()
    try await changePresent(providerID, type) { entry in
      entry.credential.expiresAt = expiresAt
      entry.credential.updatedAt = moment
    }
  }

  /// Changes the entry that counts among those that can be changed.
  private func changePresent(
    _ providerID: String, _ type: AICredentialType,
    _ body: @escaping @Sendable (inout CredentialEntry) -> Void
  ) async throws {
    struct NotHere: Error {}
    let id = try CredentialID(providerID: providerID, type: type)
    var failure: (any Error)?
    for store in stores {
      do {
        return try await store.change(id) { entry in
          guard var entry else { throw NotHere() }
          body(&entry)
          return entry
        }
      } catch is NotHere {
        continue
      } catch let error as AICredentialError where error.isAbsence {
        continue
      } catch let error as AICredentialError where error.letsOthersAnswer {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    throw try await absence(of: id)
  }

  /// What to say of a credential that is in none of the stores.
  private func absence(of id: CredentialID) async throws -> AICredentialError {
    for source in sources where !(source is any CredentialStore) {
      if try await source.entry(for: id) != nil {
        return .readOnly(providerID: id.providerID, source: source.name)
      }
    }
    return .notFound(providerID: id.providerID)
  }

  /// What the first place gives that gives something.
  private func search<Result>(
    _ body: (any CredentialSource) async throws -> Result?
  ) async throws -> Result? {
    var failure: (any Error)?
    for source in sources {
      do {
        if let result = try await body(source) { return result }
      } catch let error as AICredentialError where error.isAbsence {
        continue
      } catch let error as AICredentialError where error.letsOthersAnswer {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }
}

extension AICredentialError {
  /// Whether there is no such place here.
  fileprivate var isAbsence: Bool {
    if case .storeUnavailable = self { true } else { false }
  }

  /// Whether there is such a place, and it does not open.
  fileprivate var isLock: Bool {
    if case .storeLocked = self { true } else { false }
  }

  /// Whether the place failed rather than the credential, so that another place may well have it.
  fileprivate var letsOthersAnswer: Bool {
    switch self {
    case .storeLocked, .insecureFile, .corruptFile, .storageFailed: true
    case .invalidFormat, .expired, .notFound, .readOnly, .storeUnavailable: false
    }
  }
}

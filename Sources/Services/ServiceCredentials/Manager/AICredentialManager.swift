import Foundation

/// Stores the secrets of services and retrieves them.
///
/// It asks a list of sources in order, at each call. The shared manager of the program looks for
/// systemd's credentials, then for environment variables (`OPENAI_API_KEY`), then in the Secret
/// Service of the desktop, then in a file that only the user may read. It stores in the Secret
/// Service if that runs and opens, and in the file otherwise. A manager created without arguments
/// keeps everything in memory and is empty at first.
///
/// ```swift
/// let credential = AICredential(providerID: "openai", type: .apiKey, name: "Production Key")
/// try await AICredentialManager.shared.store(credential: credential, value: SecureString("sk-…"))
/// let key = try await AICredentialManager.shared.retrieve(providerID: "openai", type: .apiKey)
/// ```
///
/// Errors are `AICredentialError`, those of an app's own sources, and `CancellationError`.
public actor AICredentialManager {
  /// The manager for the whole program.
  public static let shared = AICredentialManager(sources: standardSources)

  /// The sources of `shared`, in the order in which they are asked.
  public static var standardSources: [any CredentialSource] {
    [
      SystemdCredentials(), EnvironmentCredentials(), SecretServiceStore(), FileCredentialStore(),
    ]
  }

  private let sources: [any CredentialSource]
  private let now: @Sendable () -> Date

  private var stores: [any CredentialStore] { sources.compactMap { $0 as? any CredentialStore } }

  /// Creates an empty manager that keeps everything in memory.
  public init() {
    self.init(sources: [InMemoryCredentialStore()])
  }

  /// Creates a manager for sources in order of precedence. It stores in the first available
  /// `CredentialStore` among them.
  ///
  /// - Parameter now: the current date, for expiry.
  public init(sources: [any CredentialSource], now: @escaping @Sendable () -> Date = { Date() }) {
    self.sources = sources
    self.now = now
  }

  /// Stores a secret and replaces an earlier one for the same provider and type.
  ///
  /// White space at both ends is removed. `value` is not changed; clear it when you no longer need
  /// it. Older secrets in later stores are removed. One in an earlier read-only source, such as an
  /// environment variable, still takes precedence. A store that stays locked after the user was
  /// prompted is skipped, unless it has, or may have, a secret for the same provider and type,
  /// which would take precedence once the store is unlocked.
  ///
  /// - Returns: the name of the store that holds the secret now.
  /// - Throws: `AICredentialError.invalidFormat` if the value cannot be a secret; errors of the
  ///   store.
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
        // A leftover there is no longer used, so failing to remove it is not a failure to store.
        try? await later.change(id) { _ in nil }
      }
      return store.name
    }
    throw lock ?? absence
      ?? AICredentialError.storeUnavailable("This program has no place to store credentials in.")
  }

  /// Replaces the secret. The description of the credential stays, including its expiry; only the
  /// date of the change is updated.
  ///
  /// - Throws: `AICredentialError.notFound`; `readOnly` if the credential is in a read-only source;
  ///   `invalidFormat`; errors of the store.
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

  /// Returns the secret.
  ///
  /// Sources that do not exist, are locked, or are refused as insecure are skipped; if no other
  /// source has the secret, the error of a locked or insecure one is thrown.
  ///
  /// - Throws: `AICredentialError.notFound`; `expired`; `invalidFormat` if the stored value cannot
  ///   be a secret; errors of the sources.
  public func retrieve(providerID: String, type: AICredentialType) async throws -> SecureString {
    let id = try CredentialID(providerID: providerID, type: type)
    guard let entry = try await first(of: sources, { try await $0.entry(for: id) }) else {
      throw AICredentialError.notFound(providerID: providerID)
    }
    guard !entry.credential.isExpired(at: now()) else {
      throw AICredentialError.expired(providerID: providerID)
    }
    return try AICredentialValidator.validated(entry.value, type: type)
  }

  /// Removes a secret from all stores.
  ///
  /// - Throws: `AICredentialError.notFound`; `readOnly` if only read-only sources have it; errors
  ///   of the stores.
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

  /// True if there is such a credential, expired or not. Never prompts for a password.
  public func has(providerID: String, type: AICredentialType) async -> Bool {
    await list(for: providerID).contains { $0.type == type }
  }

  /// Describes the credentials of a provider that are in use. Never prompts for a password. Sources
  /// that fail are skipped and reported by `inventory(of:)`.
  public func list(for providerID: String) async -> [AICredential] {
    await inventory(of: providerID).items.filter(\.isUsed).map(\.credential)
  }

  /// Describes all credentials that are in use. Never prompts for a password. Sources that fail are
  /// skipped and reported by `inventory()`.
  public func listAll() async -> [AICredential] {
    await inventory().items.filter(\.isUsed).map(\.credential)
  }

  /// Lists all credentials, or those of a provider, with their sources. Never prompts for a
  /// password.
  package func inventory(of providerID: String? = nil) async -> CredentialInventory {
    var inventory = CredentialInventory()
    var known: Set<[String]> = []
    for source in sources {
      do {
        let credentials =
          if let providerID {
            try await source.list(for: providerID)
          } else {
            try await source.list()
          }
        for credential in credentials {
          let isFirst = known.insert([credential.providerID, credential.type.rawValue]).inserted
          inventory.items.append(
            .init(credential: credential, source: source.name, isUsed: isFirst))
        }
      } catch let error as AICredentialError where error.isAbsence {
        continue
      } catch {
        inventory.failures.append(.init(source: source.name, error: error))
      }
    }
    // Stable, so that the sources of a credential stay in their order.
    inventory.items.sort {
      ($0.credential.providerID, $0.credential.type.rawValue)
        < ($1.credential.providerID, $1.credential.type.rawValue)
    }
    return inventory
  }

  /// Changes the expiry of a credential; `nil` for never.
  ///
  /// - Throws: the errors of `update(providerID:type:value:)`.
  public func updateExpiration(
    providerID: String, type: AICredentialType, expiresAt: Date?
  ) async throws {
    let moment = now()
    try await changePresent(providerID, type) { entry in
      entry.credential.expiresAt = expiresAt
      entry.credential.updatedAt = moment
    }
  }

  /// Changes the first matching entry among the stores.
  private func changePresent(
    _ providerID: String, _ type: AICredentialType,
    _ body: @escaping @Sendable (inout CredentialEntry) -> Void
  ) async throws {
    struct NotHere: Error {}
    let id = try CredentialID(providerID: providerID, type: type)
    let change: Void? = try await first(of: stores) { store in
      do {
        return try await store.change(id) { entry in
          guard var entry else { throw NotHere() }
          body(&entry)
          return entry
        }
      } catch is NotHere {
        return nil
      }
    }
    if change == nil { throw try await absence(of: id) }
  }

  /// The error for a credential that no store has.
  private func absence(of id: CredentialID) async throws -> AICredentialError {
    for source in sources where !(source is any CredentialStore) {
      if try await source.entry(for: id) != nil {
        return .readOnly(providerID: id.providerID, source: source.name)
      }
    }
    return .notFound(providerID: id.providerID)
  }

  /// Returns the first result of any source. Those that do not exist are skipped; the error of one
  /// that failed is thrown if no other has a result.
  private func first<Source: Sendable, Result>(
    of sources: [Source], _ body: (Source) async throws -> Result?
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
  /// True if there is no such store on this system.
  fileprivate var isAbsence: Bool {
    if case .storeUnavailable = self { true } else { false }
  }

  /// True if the store exists but is locked.
  fileprivate var isLock: Bool {
    if case .storeLocked = self { true } else { false }
  }

  /// True if the store failed rather than the credential, so that another store may have it.
  fileprivate var letsOthersAnswer: Bool {
    switch self {
    case .storeLocked, .insecureFile, .corruptFile, .storageFailed: true
    case .invalidFormat, .expired, .notFound, .readOnly, .storeUnavailable: false
    }
  }
}

/// Keeps secrets in the desktop's Secret Service: GNOME Keyring, KWallet, KeePassXC and others.
///
/// libsecret is loaded when it is first needed. Without the library, without a session bus, or without a
/// service on it, calls throw `AICredentialError.storeUnavailable`. Where a keyring is locked the desktop asks
/// for its password; calls that take longer than `patience` are broken off with `storeLocked`. The service
/// shows other programs of the user what is known of a credential, and lets them ask for its secret.
public struct SecretServiceStore: CredentialStore {
  /// “secret-service”.
  public let name = "secret-service"
  private let patience: Duration

  /// The service of the user's session.
  ///
  /// - Parameter patience: how long a call may take; somebody may have to type a password meanwhile.
  public init(patience: Duration = .seconds(30)) {
    self.patience = patience
  }

  /// The secret, if it is there; the desktop may ask for the keyring's password.
  public func entry(for id: CredentialID) async throws -> CredentialEntry? {
    try await SecretServiceCaller.shared.run(within: patience) { try $0.entry(for: id) }
  }

  /// What is known of all secrets; asks for no password. GNOME Keyring does not tell while it is locked, and
  /// this throws `AICredentialError.storeLocked` then.
  public func list() async throws -> [AICredential] {
    try await SecretServiceCaller.shared.run(within: patience) { try $0.list() }
  }

  /// What is known of a provider's secrets; asks for no password. GNOME Keyring tells no more than whether
  /// there are any while it is locked.
  public func list(for providerID: String) async throws -> [AICredential] {
    try await SecretServiceCaller.shared.run(within: patience) { try $0.list(for: providerID) }
  }

  /// Puts what the body makes of the present entry in its place. Another process that changes the same
  /// credential at the same moment may win.
  public func change(
    _ id: CredentialID,
    _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
  ) async throws {
    try await SecretServiceCaller.shared.run(within: patience) { try $0.change(id, body) }
  }
}

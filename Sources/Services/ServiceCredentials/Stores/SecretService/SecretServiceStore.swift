/// Keeps secrets in the Secret Service of the desktop: GNOME Keyring, KWallet, KeePassXC and
/// others.
///
/// libsecret is loaded on first use. Without the library, a session bus, or a service on it, calls
/// throw `AICredentialError.storeUnavailable`. If a keyring is locked, the desktop prompts for its
/// password; calls that exceed the timeout are cancelled and throw `storeLocked`. Other programs of
/// the user can read the descriptions of credentials and ask for their secrets.
public struct SecretServiceStore: CredentialStore {
  /// The name of this store, `secret-service`.
  public let name = "secret-service"
  private let timeout: Duration

  /// Opens the service of the user's session.
  ///
  /// - Parameter timeout: how long a call may take, including the time to type a password.
  public init(timeout: Duration = .seconds(30)) {
    self.timeout = timeout
  }

  /// Returns the secret, or `nil` if there is none. The desktop may prompt for the keyring's
  /// password.
  public func entry(for id: CredentialID) async throws -> CredentialEntry? {
    try await SecretServiceCaller.shared.run(within: timeout) { try $0.entry(for: id) }
  }

  /// Describes all secrets. Never prompts for a password. Throws `AICredentialError.storeLocked`
  /// while GNOME Keyring is locked, because it conceals them.
  public func list() async throws -> [AICredential] {
    try await SecretServiceCaller.shared.run(within: timeout) { try $0.list() }
  }

  /// Describes the secrets of a provider. Never prompts for a password. While GNOME Keyring is
  /// locked, the result shows only which types exist.
  public func list(for providerID: String) async throws -> [AICredential] {
    try await SecretServiceCaller.shared.run(within: timeout) { try $0.list(for: providerID) }
  }

  /// Replaces the current entry by the result of the body. If another process changes the same
  /// credential at the same moment, either change may win.
  public func change(
    _ id: CredentialID,
    _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
  ) async throws {
    try await SecretServiceCaller.shared.run(within: timeout) { try $0.change(id, body) }
  }
}

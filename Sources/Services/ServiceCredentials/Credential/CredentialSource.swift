/// A place where secrets are found.
///
/// Laws: what is not there is `nil`, not an error; a place that does not exist at all, like a desktop's
/// service where there is no desktop, throws `AICredentialError.storeUnavailable`, and the next place is
/// asked; listing needs no secrets, and so asks nobody for a password; no error's text holds a secret.
public protocol CredentialSource: Sendable {
  /// What the place is called, for people.
  var name: String { get }

  /// The secret, if it is there.
  func entry(for id: CredentialID) async throws -> CredentialEntry?

  /// What is known of all secrets that are there.
  func list() async throws -> [AICredential]

  /// What is known of a provider's secrets.
  func list(for providerID: String) async throws -> [AICredential]
}

extension CredentialSource {
  /// Those of all that are the provider's.
  public func list(for providerID: String) async throws -> [AICredential] {
    try await list().filter { $0.providerID == providerID }
  }
}

/// A place where secrets can be kept as well.
///
/// Laws: a change happens wholly or not at all, also when the process is killed, and no two changes of one
/// secret by this process at the same time undo each other.
public protocol CredentialStore: CredentialSource {
  /// Puts what the body makes of the present entry in its place.
  ///
  /// - Parameter body: gets the present entry, `nil` if there is none, and returns the new one, `nil` to
  ///   remove it; it may be asked more than once. What it throws is passed on, and nothing is changed
  ///   then.
  func change(
    _ id: CredentialID,
    _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
  ) async throws
}

import CGLib

/// The connection to the session bus that libsecret uses.
final class SecretServiceConnection: @unchecked Sendable {
  // Unchecked because only the queue of the calls uses it.
  private static let sessionBus: CInt = 2

  let library: LibSecret
  private let object: LibSecret.Object

  /// - Throws: `AICredentialError.storeUnavailable` when the bus does not answer;
  ///   `SecretServiceSession.Cancelled`.
  init(_ library: LibSecret, _ cancellation: CallCancellation) throws {
    self.library = library
    var failure: UnsafeMutablePointer<GError>?
    guard let object = library.connect(Self.sessionBus, cancellation.object, &failure) else {
      let problem = SecretServiceError(taking: failure)
      guard !cancellation.isCancelled else { throw SecretServiceSession.Cancelled() }
      throw AICredentialError.storeUnavailable(
        "The session bus does not answer (\(problem.message)), so that there is no Secret Service.")
    }
    self.object = object
    // GLib's default would end the whole program when the bus goes away.
    library.setExitOnClose(object, 0)
  }

  deinit {
    library.disconnect()
    library.release(object)
  }
}

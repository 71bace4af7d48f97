import CGLib

/// The connection to the session bus that libsecret uses.
final class SecretServiceConnection: @unchecked Sendable {
  // Unchecked because it is used on the queue of the calls only.
  private static let sessionBus: CInt = 2

  let library: LibSecret
  private let object: LibSecret.Object

  /// Connects to the session bus. Throws `storeUnavailable` if it does not answer.
  init(_ library: LibSecret, _ cancellation: CallCancellation) throws {
    self.library = library
    var failure: UnsafeMutablePointer<GError>?
    guard let object = library.connect(Self.sessionBus, cancellation.object, &failure) else {
      let error = SecretServiceError(taking: failure)
      guard !cancellation.isCancelled else { throw SecretServiceSession.Cancelled() }
      throw AICredentialError.storeUnavailable(
        "The session bus does not answer (\(error.message)), so there is no Secret Service.")
    }
    self.object = object
    // By default, GLib would end the program when the bus disconnects.
    library.setExitOnClose(object, 0)
  }

  deinit {
    library.disconnect()
    library.release(object)
  }
}

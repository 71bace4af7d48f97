import CGLib

/// An error of GLib or libsecret.
struct SecretServiceError: Error {
  let message: String
  private let domain: String
  private let code: Int32

  /// Takes over the error and frees it.
  init(taking failure: UnsafeMutablePointer<GError>?) {
    defer { failure.map { g_error_free($0) } }
    message = failure?.pointee.message.map { String(cString: $0) } ?? "no reason given"
    domain =
      failure.flatMap { g_quark_to_string($0.pointee.domain) }.map { String(cString: $0) } ?? ""
    code = failure?.pointee.code ?? 0
  }

  /// The error for callers of the store.
  var error: AICredentialError {
    isAbsence
      ? .storeUnavailable("There is no Secret Service on the session bus (\(message)).")
      : .storeLocked(
        "The Secret Service refused (\(message)). Unlock or create a keyring in the desktop's "
          + "password settings, or keep the credential in a file.")
  }

  /// True if the connection may have failed rather than the request, because the service or the bus
  /// was restarted since the last call. Errors of libsecret itself and refusals by the user are not
  /// of that kind.
  var mayBeStale: Bool { domain == "g-dbus-error-quark" || domain == "g-io-error-quark" }

  /// True if no service is running on the bus and none could be started.
  private var isAbsence: Bool {
    switch domain {
    case "g-dbus-error-quark":
      // The name has no owner (2, 3), the owner left before it answered (4), the bus disconnected
      // (15), or the service could not be started (23 to 34).
      [2, 3, 4, 15].contains(code) || (23...34).contains(code)
    case "g-io-error-quark":
      // The connection to the bus is closed.
      code == 18
    default: false
    }
  }
}

import CGLib

/// What GLib and libsecret report when a call fails.
struct SecretServiceError: Error {
  let message: String
  private let domain: String
  private let code: Int32

  /// Takes the error over and frees it.
  init(taking failure: UnsafeMutablePointer<GError>?) {
    defer { failure.map { g_error_free($0) } }
    message = failure?.pointee.message.map { String(cString: $0) } ?? "no reason given"
    domain =
      failure.flatMap { g_quark_to_string($0.pointee.domain) }.map { String(cString: $0) } ?? ""
    code = failure?.pointee.code ?? 0
  }

  /// The error that callers see.
  var error: AICredentialError {
    isAbsence
      ? .storeUnavailable("There is no Secret Service on the session bus (\(message)).")
      : .storeLocked(
        "The Secret Service refused (\(message)). Unlock the keyring, or make one, in the desktop's "
          + "password settings; or keep the credential in a file.")
  }

  /// Whether it may be the conversation that failed and not the request: the service or the bus was started
  /// anew since the last one. What libsecret itself decides, and what a person refuses, is not of that kind.
  var mayBeStale: Bool { domain == "g-dbus-error-quark" || domain == "g-io-error-quark" }

  /// Whether there is nobody on the bus who could answer, not even one who could be started.
  private var isAbsence: Bool {
    switch domain {
    case "g-dbus-error-quark":
      // Nobody has the name (2, 3), whoever had it left before answering (4), the bus went (15), or
      // the service that should have been started did not (23 to 34).
      [2, 3, 4, 15].contains(code) || (23...34).contains(code)
    case "g-io-error-quark":
      // The connection to the bus is closed.
      code == 18
    default: false
    }
  }
}

import Foundation

/// A failure whose status the command knows itself.
struct CommandFailure: Error, LocalizedError {
  var status: ExitStatus
  /// What happened and what to do; `nil` when that has been said already.
  var message: String?

  init(_ status: ExitStatus, _ message: String? = nil) {
    self.status = status
    self.message = message
  }

  var errorDescription: String? { message }
}

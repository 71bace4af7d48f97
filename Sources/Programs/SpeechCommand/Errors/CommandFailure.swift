import Foundation

/// A failure with the exit status that the command chose.
struct CommandFailure: Error, LocalizedError {
  var status: ExitStatus
  /// The message: what happened and what to do. `nil` if it has been shown already.
  var message: String?

  init(_ status: ExitStatus, _ message: String? = nil) {
    self.status = status
    self.message = message
  }

  var errorDescription: String? { message }
}

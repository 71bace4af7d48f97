import Foundation

/// A failure with the exit status that the command chose.
package struct CommandFailure: Error, LocalizedError {
  package var status: ExitStatus
  /// The message: what happened and what to do. `nil` if it has been shown already.
  package var message: String?

  package init(_ status: ExitStatus, _ message: String? = nil) {
    self.status = status
    self.message = message
  }

  package var errorDescription: String? { message }
}

extension CommandFailure: ErrorWithExitStatus {
  package var exitStatus: ExitStatus { status }
}

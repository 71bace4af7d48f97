import Foundation

/// A failure with the exit status that the command chose.
package struct CommandFailure: LocalizedError, ErrorWithExitStatus {
  package var exitStatus: ExitStatus
  /// The message: what happened and what to do. `nil` if it has been shown already.
  package var errorDescription: String?

  package init(_ status: ExitStatus, _ message: String? = nil) {
    exitStatus = status
    errorDescription = message
  }

  /// Does something, and gives any error the status.
  package static func reporting<Value>(
    _ status: ExitStatus, _ work: () throws -> Value
  ) throws(CommandFailure) -> Value {
    do {
      return try work()
    } catch {
      throw CommandFailure(status, error.localizedDescription)
    }
  }
}

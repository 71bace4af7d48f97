import Foundation

/// A mistake in the command line.
package struct UsageError: LocalizedError, ErrorWithExitStatus, Equatable {
  package var message: String
  /// The command whose help to suggest; `nil` for the help of the program.
  package var command: String?

  package init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }

  package var exitStatus: ExitStatus { .usage }

  package var errorDescription: String? {
    let words = ["speechkit", command, "--help"].compactMap { $0 }.joined(separator: " ")
    return "\(message)\nTry: \(words)"
  }

  /// Does something, and reports any error as a mistake in the command line.
  package static func reporting<Value>(_ work: () throws -> Value) throws(UsageError) -> Value {
    do {
      return try work()
    } catch {
      throw error as? UsageError ?? UsageError(error.localizedDescription)
    }
  }
}

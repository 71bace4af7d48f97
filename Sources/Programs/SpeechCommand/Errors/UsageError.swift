import Foundation

/// A mistake in the command line.
struct UsageError: Error, Equatable {
  var message: String
  /// The command whose help to suggest; `nil` for the help of the program.
  var command: String?

  init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }
}

extension UsageError: LocalizedError {
  var errorDescription: String? {
    let words = ["speechkit", command, "--help"].compactMap { $0 }.joined(separator: " ")
    return "\(message)\nTry: \(words)"
  }
}

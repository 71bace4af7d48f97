import Foundation

/// A command line that cannot be understood.
struct UsageError: Error, Equatable {
  var message: String
  /// The command whose help would have told; `nil` for the program's own.
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

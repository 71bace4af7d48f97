import Foundation

/// A failure to write to standard output.
enum OutputError: Error, Equatable {
  /// The reader closed the pipe.
  case closed
  case failed(String)
}

extension OutputError: LocalizedError {
  var errorDescription: String? {
    switch self {
    case .closed: nil
    case .failed(let reason): "Standard output could not be written: \(reason)."
    }
  }
}

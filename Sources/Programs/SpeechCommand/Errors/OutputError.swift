import Foundation

/// A failure to write to standard output.
package enum OutputError: Error, Equatable {
  /// The reader closed the pipe.
  case closed
  case failed(String)
}

extension OutputError: LocalizedError {
  package var errorDescription: String? {
    switch self {
    case .closed: nil
    case .failed(let reason): "Standard output could not be written: \(reason)."
    }
  }
}

extension OutputError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus { .ioError }
}

import Foundation

/// A failure to write to standard output.
package enum OutputError: LocalizedError, ErrorWithExitStatus, Equatable {
  /// The reader closed the pipe.
  case closed
  case failed(String)

  package var exitStatus: ExitStatus { .ioError }

  package var errorDescription: String? {
    switch self {
    case .closed: nil
    case .failed(let reason): "Standard output could not be written: \(reason)."
    }
  }
}

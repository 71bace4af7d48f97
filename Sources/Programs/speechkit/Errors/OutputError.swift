import Foundation

/// Standard output did not take what was written.
enum OutputError: Error, Equatable {
  /// Whoever read it has gone.
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

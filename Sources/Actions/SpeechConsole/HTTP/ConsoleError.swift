import Foundation

/// An error of starting a console.
public enum ConsoleError: Error, Sendable, Hashable {
  /// The port is in use by another program.
  case portTaken(Int)
  /// The system provides no port; the text gives the reason.
  case noPort(String)
  /// The HTTP library does not start.
  case noServer
}

extension ConsoleError: LocalizedError {
  /// A description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .portTaken(let port):
      "Port \(port) is in use. Choose another one with --port, or omit --port for any free one."
    case .noPort(let text): text
    case .noServer:
      "The HTTP server did not start, because memory or threads ran out. End other programs."
    }
  }
}

import Foundation

/// What keeps a console from being served.
public enum ConsoleError: Error, Sendable, Hashable {
  /// Somebody listens on the port already.
  case portTaken(Int)
  /// The system gives no port; the text says why.
  case noPort(String)
  /// The HTTP library does not start.
  case noServer
}

extension ConsoleError: LocalizedError {
  /// What happened, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .portTaken(let port):
      "Port \(port) is in use. Choose another one with --port, or leave it out for any that is free."
    case .noPort(let text): text
    case .noServer: "The HTTP server does not start: there is no memory or no thread left."
    }
  }
}

import AIServices
import Foundation

/// An error of a connection to the service, besides those of any connection.
package enum WireError: Error, Hashable {
  /// There is no connection, or the server has not confirmed it yet.
  case notConnected
  /// The server refused access.
  case refused(String)
  /// The connection was lost.
  case connectionLost(String)
  /// The server has been silent for longer than its heartbeat allows.
  case heartbeatLost
  /// The server violated the protocol.
  case malformed(String, protocol: String)
  /// The server answered long-polling with the given status.
  case status(Int)

  static func socketIO(_ text: String) -> WireError { .malformed(text, protocol: "Socket.IO") }
  static func phoenix(_ text: String) -> WireError { .malformed(text, protocol: "Phoenix") }
}

extension WireError: LocalizedError {
  package var errorDescription: String? {
    switch self {
    case .notConnected:
      "There is no connection to the server at the moment. Connect, or wait for the next attempt."
    case .refused(let message):
      "The server refused the connection to / (\(message)). "
        + "Check the credentials and the namespace."
    case .connectionLost(let text): "The connection was lost (\(text)). Try again."
    case .heartbeatLost: "The server has been silent for too long. Check the network."
    case .malformed(let text, let name): "The server violated the \(name) protocol: \(text)."
    case .status(let status):
      "The server answered with status \(status). Check the address, the path and the credentials."
    }
  }
}

extension WireError: ConnectionFailure {
  package var isFinal: Bool {
    switch self {
    case .refused: true
    case .status(let status): WebSocketHandshakeError(status: status).isFinal
    case .notConnected, .connectionLost, .heartbeatLost, .malformed: false
    }
  }
}

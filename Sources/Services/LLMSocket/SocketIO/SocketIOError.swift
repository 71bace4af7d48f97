import AIServices
import Foundation

/// An error of a Socket.IO connection, besides those of any connection.
package enum SocketIOError: Error, Hashable {
  /// The client is not connected, or has not joined the namespace.
  case notConnected
  /// The server refused access to the namespace.
  case refused(String)
  /// The connection was lost.
  case connectionLost(String)
  /// The server has been silent for longer than its heartbeat allows.
  case heartbeatLost
  /// The server violated the protocol.
  case malformed(String)
  /// The server answered long-polling with the given status.
  case status(Int)
}

extension SocketIOError: LocalizedError {
  package var errorDescription: String? {
    switch self {
    case .notConnected:
      "There is no connection to the server at the moment. Connect, or wait for the next attempt."
    case .refused(let message):
      "The server refused the connection to / (\(message)). "
        + "Check the credentials and the namespace."
    case .connectionLost(let text): "The connection was lost (\(text)). Try again."
    case .heartbeatLost: "The server has been silent for too long. Check the network."
    case .malformed(let text): "The server violated the Socket.IO protocol: \(text)."
    case .status(let status):
      "The server answered with status \(status). Check the address, the path and the credentials."
    }
  }
}

extension SocketIOError: ConnectionFailure {
  package var isFinal: Bool {
    switch self {
    case .refused: true
    case .status(let status): WebSocketHandshakeError(status: status).isFinal
    case .notConnected, .connectionLost, .heartbeatLost, .malformed: false
    }
  }
}

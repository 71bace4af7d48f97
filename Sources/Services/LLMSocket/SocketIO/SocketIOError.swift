import AIServices
import Foundation

/// An error of a Socket.IO connection, besides those of any connection.
package enum SocketIOError: Error, Hashable, Sendable {
  /// The client is not connected, or has not joined the namespace.
  case notConnected
  /// The server refused access to the namespace.
  case refused(namespace: String, message: String)
  /// The server did not acknowledge in time.
  case acknowledgementTimedOut
  /// The connection was lost before the answer.
  case connectionLost(String)
  /// The server has been silent for longer than its heartbeat allows.
  case heartbeatLost
  /// The server violated the protocol.
  case malformed(String)
  /// A message exceeds the limit in bytes.
  case tooLarge(limit: Int)
  /// The server answered long-polling with the given status.
  case status(Int)
}

extension SocketIOError: LocalizedError {
  /// A description of the error and of its remedy.
  package var errorDescription: String? {
    switch self {
    case .notConnected:
      "There is no connection to the server at the moment. Connect, or wait for the next attempt."
    case .refused(let namespace, let message):
      "The server refused the connection to \(namespace) (\(message)). "
        + "Check the credentials and the namespace."
    case .acknowledgementTimedOut: "The server did not acknowledge in time. Try again."
    case .connectionLost(let text): "The connection was lost (\(text)). Try again."
    case .heartbeatLost: "The server has been silent for too long. Check the network."
    case .malformed(let text): "The server violated the Socket.IO protocol: \(text)."
    case .tooLarge(let limit): "The message exceeds the limit of \(limit) bytes."
    case .status(let status):
      "The server answered with status \(status). Check the address, the path and the credentials."
    }
  }
}

extension SocketIOError: ConnectionFailure {
  /// True if the same attempt would fail again.
  package var isFinal: Bool {
    switch self {
    case .refused: true
    case .status(let status): WebSocketHandshakeError(status: status).isFinal
    case .notConnected, .acknowledgementTimedOut, .connectionLost, .heartbeatLost, .malformed,
      .tooLarge:
      false
    }
  }
}

import AIServices
import Foundation

/// What can go wrong with a Socket.IO connection, beyond what goes wrong with any connection.
package enum SocketIOError: Error, Hashable, Sendable {
  /// There is no connection, or none to that namespace, at the moment.
  case notConnected
  /// The server does not want us in that namespace.
  case refused(namespace: String, message: String)
  /// The server did not acknowledge in time.
  case acknowledgementTimedOut
  /// The connection was lost before the answer came.
  case connectionLost(String)
  /// The server has not been heard for longer than it promised.
  case heartbeatLost
  /// The server does not keep to the protocol.
  case malformed(String)
  /// A message is larger than is allowed, in bytes.
  case tooLarge(limit: Int)
  /// The server answered the long-polling with that status.
  case status(Int)
}

extension SocketIOError: LocalizedError {
  /// What happened, and what to do about it.
  package var errorDescription: String? {
    switch self {
    case .notConnected:
      "There is no connection to the server at the moment. Wait for it, or connect."
    case .refused(let namespace, let message):
      "The server refused the connection to \(namespace) (\(message)). Check the credentials and the "
        + "namespace."
    case .acknowledgementTimedOut: "The server did not acknowledge in time. Try again."
    case .connectionLost(let text): "The connection was lost (\(text)). Try again."
    case .heartbeatLost: "The server has not been heard for too long. Check the network."
    case .malformed(let text): "The server does not keep to the Socket.IO protocol: \(text)."
    case .tooLarge(let limit): "The message is larger than the \(limit) bytes that are allowed."
    case .status(let status):
      "The server answered with status \(status). Check the address, the path and the credentials."
    }
  }
}

extension SocketIOError: ConnectionFailure {
  /// Whether the same attempt would end the same way.
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

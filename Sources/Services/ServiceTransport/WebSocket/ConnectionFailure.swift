/// An error that knows whether another attempt to connect would end the same way.
package protocol ConnectionFailure: Error {
  /// Whether the same attempt would end the same way.
  var isFinal: Bool { get }
}

extension HTTPFailure: ConnectionFailure {
  /// Whether the same attempt would end the same way.
  package var isFinal: Bool {
    switch self {
    case .invalidRequest, .offline, .untrusted: true
    case .unknownHost, .unreachable, .timedOut, .interrupted, .truncated, .tooLarge, .malformed:
      false
    }
  }
}

extension WebSocketHandshakeError: ConnectionFailure {
  /// Whether the same attempt would end the same way: a server that is starting or overloaded says
  /// something else later.
  package var isFinal: Bool { (300..<500).contains(status) && ![408, 425, 429].contains(status) }
}

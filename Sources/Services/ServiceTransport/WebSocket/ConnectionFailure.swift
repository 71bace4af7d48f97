/// An error that indicates whether connecting again could succeed.
package protocol ConnectionFailure: Error {
  /// True if the same attempt would fail again.
  var isFinal: Bool { get }
  /// The number of seconds after which the server wants to be asked again; `nil` if it named none.
  var retryAfter: Double? { get }
}

extension ConnectionFailure {
  package var retryAfter: Double? { nil }
}

extension HTTPFailure: ConnectionFailure {
  /// True if the same attempt would fail again.
  package var isFinal: Bool {
    switch self {
    case .invalidRequest, .offline, .untrusted: true
    case .unknownHost, .unreachable, .timedOut, .interrupted, .truncated, .tooLarge, .malformed:
      false
    }
  }
}

extension WebSocketHandshakeError: ConnectionFailure {
  /// True if the same attempt would fail again. A server that is starting or overloaded answers
  /// differently later.
  package var isFinal: Bool { (300..<500).contains(status) && ![408, 425, 429].contains(status) }
}

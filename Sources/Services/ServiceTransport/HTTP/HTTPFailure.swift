import Foundation

/// An error of an exchange with a server.
public enum HTTPFailure: Error, Equatable, Sendable {
  /// The request cannot be sent because of its address or a header; the message names the reason.
  case invalidRequest(String)
  /// The network is switched off; the value is the host.
  case offline(String)
  /// The host's name cannot be resolved.
  case unknownHost(String)
  /// No server answers at that address; the message is libcurl's.
  case unreachable(String)
  /// The server's identity was not verified, or there is no common version of TLS; the message is
  /// libcurl's.
  case untrusted(String)
  /// The timeout of a stage was reached.
  case timedOut(Stage)
  /// The connection broke, before or after the first byte of the response; the message is
  /// libcurl's.
  case interrupted(String, beforeResponse: Bool)
  /// The response ended before it was complete.
  case truncated
  /// The response exceeds the limit of the request, in bytes.
  case tooLarge(limit: Int)
  /// The response violates the protocol.
  case malformed(String)

  /// The stage of an exchange that timed out.
  public enum Stage: String, Sendable {
    /// Connecting, including the TLS handshake.
    case connect
    /// Waiting for the first byte of the response.
    case firstByte
    /// Waiting for the next bytes of the response.
    case idle
    /// The exchange as a whole.
    case total
  }
}

extension HTTPFailure: LocalizedError {
  /// A description of the error and of its remedy.
  public var errorDescription: String? {
    switch self {
    case .invalidRequest(let text), .malformed(let text): text
    case .offline(let host):
      "The network is switched off (offline), so \(host) was not contacted. Switch it on, or "
        + "choose a local provider."
    case .unknownHost(let host):
      "The host \(host) was not found. Check the address and the network connection."
    case .unreachable(let text):
      "The server cannot be reached (\(text)). Check that it is running, "
        + "its address and the network."
    case .untrusted(let text):
      "The server's identity could not be verified (\(text)). Check the address, the clock of this "
        + "machine and its certificates."
    case .timedOut(.connect): "The server did not accept the connection in time. Try again later."
    case .timedOut(.firstByte): "The server did not answer in time. Try again later."
    case .timedOut(.idle): "The server stopped sending before the end of its answer. Try again."
    case .timedOut(.total): "The answer took longer than allowed. Allow more time, or request less."
    case .interrupted(let text, _): "The connection was interrupted (\(text)). Try again."
    case .truncated: "The answer ended before it was complete. Try again."
    case .tooLarge(let limit):
      "The answer exceeds the limit of \(limit) bytes."
    }
  }
}

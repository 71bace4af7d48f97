import Foundation

/// Why an exchange with a server did not come about, or broke off.
public enum HTTPFailure: Error, Equatable, Sendable {
  /// The request cannot be sent as it is: its address or a header; the text says what is wrong.
  case invalidRequest(String)
  /// The network is switched off; the text names the host that was wanted.
  case offline(String)
  /// The host's name cannot be resolved.
  case unknownHost(String)
  /// Nobody answers at that address; the text is the library's.
  case unreachable(String)
  /// The server is not who it claims to be, or speaks no TLS that we do; the text is the library's.
  case untrusted(String)
  /// A time-out was reached.
  case timedOut(Stage)
  /// The connection broke, before or after the first byte of the response; the text is the library's.
  case interrupted(String, beforeResponse: Bool)
  /// The response ended before it was complete.
  case truncated
  /// The response is larger than the request allowed, in bytes.
  case tooLarge(limit: Int)
  /// What came is not what the protocol prescribes.
  case malformed(String)

  /// What was waited for.
  public enum Stage: String, Sendable {
    /// The connection.
    case connect
    /// The first byte of the response.
    case firstByte
    /// The next piece of the response.
    case idle
    /// The end of it all.
    case total
  }
}

extension HTTPFailure: LocalizedError {
  /// What happened, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .invalidRequest(let text), .malformed(let text): text
    case .offline(let host):
      "The network is switched off (offline), so \(host) was not contacted. Switch it on, or "
        + "choose a local provider."
    case .unknownHost(let host):
      "The host \(host) is not known. Check the address and the network connection."
    case .unreachable(let text):
      "The server cannot be reached (\(text)). Check that it runs, its address and the network."
    case .untrusted(let text):
      "The server's identity could not be verified (\(text)). Check the address, the clock of this "
        + "machine and its certificates."
    case .timedOut(.connect): "The server did not accept the connection in time. Try again later."
    case .timedOut(.firstByte): "The server did not answer in time. Try again later."
    case .timedOut(.idle): "The server stopped sending in mid-answer. Try again."
    case .timedOut(.total): "The answer took longer than allowed. Allow more time, or ask for less."
    case .interrupted(let text, _): "The connection broke off (\(text)). Try again."
    case .truncated: "The answer broke off before its end. Try again."
    case .tooLarge(let limit):
      "The answer is larger than the \(limit) bytes that are allowed."
    }
  }
}

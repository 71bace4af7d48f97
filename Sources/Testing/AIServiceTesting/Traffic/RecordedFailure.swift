import AIServices

/// The failure of a recorded exchange.
public struct RecordedFailure: Sendable, Hashable, Codable {
  /// The failures of `HTTPFailure` by name.
  public enum Kind: String, Sendable, CaseIterable, Codable {
    /// The request could not be sent.
    case invalidRequest
    /// The network was switched off.
    case offline
    /// The host's name could not be resolved.
    case unknownHost
    /// No server answered at the address.
    case unreachable
    /// The server's identity could not be verified.
    case untrusted
    /// A timeout was reached.
    case timedOut
    /// The connection was interrupted before the first byte of the response.
    case interruptedBeforeResponse
    /// The connection was interrupted, or an error occurred that is not an `HTTPFailure`.
    case interrupted
    /// The response ended before it was complete.
    case truncated
    /// The response exceeded the limit of the request.
    case tooLarge
    /// The response violated the protocol.
    case malformed
  }

  /// The kind of failure.
  public var kind: Kind
  /// The detail: a text, the host, the stage of a timeout, or the permitted number of bytes.
  public var detail: String

  /// Creates a failure with its detail.
  public init(_ kind: Kind, _ detail: String = "") {
    self.kind = kind
    self.detail = detail
  }

  init(_ error: any Error) {
    guard let failure = error as? HTTPFailure else {
      self.init(.interrupted, error.localizedDescription)
      return
    }
    switch failure {
    case .invalidRequest(let text): self.init(.invalidRequest, text)
    case .offline(let host): self.init(.offline, host)
    case .unknownHost(let host): self.init(.unknownHost, host)
    case .unreachable(let text): self.init(.unreachable, text)
    case .untrusted(let text): self.init(.untrusted, text)
    case .timedOut(let stage): self.init(.timedOut, stage.rawValue)
    case .interrupted(let text, beforeResponse: true): self.init(.interruptedBeforeResponse, text)
    case .interrupted(let text, beforeResponse: false): self.init(.interrupted, text)
    case .truncated: self.init(.truncated)
    case .tooLarge(let limit): self.init(.tooLarge, "\(limit)")
    case .malformed(let text): self.init(.malformed, text)
    }
  }

  /// The failure as a replay throws it.
  var replayed: HTTPFailure { failure ?? .interrupted(detail, beforeResponse: false) }

  /// The failure as thrown by transports; `nil` if the detail does not fit the kind.
  public var failure: HTTPFailure? {
    switch kind {
    case .invalidRequest: .invalidRequest(detail)
    case .offline: .offline(detail)
    case .unknownHost: .unknownHost(detail)
    case .unreachable: .unreachable(detail)
    case .untrusted: .untrusted(detail)
    case .timedOut: HTTPFailure.Stage(rawValue: detail).map { .timedOut($0) }
    case .interruptedBeforeResponse: .interrupted(detail, beforeResponse: true)
    case .interrupted: .interrupted(detail, beforeResponse: false)
    case .truncated: .truncated
    case .tooLarge: Int(detail).map { .tooLarge(limit: $0) }
    case .malformed: .malformed(detail)
    }
  }
}

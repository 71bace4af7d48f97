/// How a service has been doing for this program.
public struct ServiceHealth: Sendable, Hashable {
  /// Whether requests are sent.
  public enum State: Sendable, Hashable {
    /// They are.
    case working
    /// Not for that long, because the last ones failed.
    case suspended(for: Duration)
    /// One is sent to find out whether the service works again.
    case onTrial
  }

  /// Whether requests are sent.
  public var state: State
  /// How long the last answer took to begin.
  public var lastLatency: Duration?
  /// The requests that were answered well.
  public var successes: Int
  /// The requests that failed.
  public var failures: Int
  /// Why the last request failed; `nil` if it did not.
  public var lastError: AIServiceError?

  /// Health.
  public init(
    state: State = .working, lastLatency: Duration? = nil, successes: Int = 0, failures: Int = 0,
    lastError: AIServiceError? = nil
  ) {
    self.state = state
    self.lastLatency = lastLatency
    self.successes = successes
    self.failures = failures
    self.lastError = lastError
  }
}

/// The health of a service as observed by this program.
public struct ServiceHealth: Sendable, Hashable {
  /// The state of the circuit breaker.
  public enum State: Sendable, Hashable {
    /// Requests are being sent.
    case working
    /// No requests are sent for the given time, because the last ones failed.
    case suspended(for: Duration)
    /// One request is sent to test whether the service works again.
    case onTrial
  }

  /// The state of the circuit breaker.
  public var state: State
  /// The time to the first byte of the last response.
  public var lastLatency: Duration?
  /// The number of successful requests.
  public var successes: Int
  /// The number of failed requests.
  public var failures: Int
  /// The error of the last request; `nil` if it succeeded.
  public var lastError: AIServiceError?

  /// Creates a health report.
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

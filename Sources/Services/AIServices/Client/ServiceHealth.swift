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
  public internal(set) var state = State.working
  /// The time to the first byte of the last response.
  public internal(set) var lastLatency: Duration?
  /// The number of successful requests.
  public internal(set) var successes = 0
  /// The number of failed requests.
  public internal(set) var failures = 0
  /// The error of the last request; `nil` if it succeeded.
  public internal(set) var lastError: AIServiceError?
}

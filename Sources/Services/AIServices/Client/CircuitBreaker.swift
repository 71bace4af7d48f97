/// A circuit breaker: suspends a service after repeated failures, and probes it with one request
/// later.
///
/// A value: times and outcomes in, decisions out.
struct CircuitBreaker: Sendable {
  private enum State {
    case closed(failuresInARow: Int)
    case open(until: Duration)
    case probing
  }

  /// The number of consecutive failures that opens it.
  let threshold: Int
  /// The time for which it stays open.
  let coolDown: Duration
  private var state = State.closed(failuresInARow: 0)

  init(threshold: Int, coolDown: Duration) {
    self.threshold = threshold
    self.coolDown = coolDown
  }

  /// Decides whether a request may be sent: `nil`, or the time until the next attempt.
  mutating func admit(at time: Duration) -> Duration? {
    switch state {
    case .closed: return nil
    case .open(let until) where time >= until:
      state = .probing
      return nil
    case .open(let until): return until - time
    // While one request probes the service, the others fail at once.
    case .probing: return .zero
    }
  }

  /// Notes that a response has begun, which is weak evidence, because many break off. After a
  /// suspension other requests are admitted, and one more failure suspends the service again.
  mutating func noteAnswer() {
    if case .probing = state { state = .closed(failuresInARow: threshold - 1) }
  }

  /// Notes that a response is complete.
  mutating func noteSuccess() {
    state = .closed(failuresInARow: 0)
  }

  mutating func noteFailure(at time: Duration) {
    switch state {
    case .closed(let failures) where failures + 1 < threshold:
      state = .closed(failuresInARow: failures + 1)
    case .closed, .probing:
      state = .open(until: time + coolDown)
    case .open: break
    }
  }

  /// Notes an end that says nothing about the service, such as a cancellation.
  mutating func noteNothing(at time: Duration) {
    // The next request becomes the probe.
    if case .probing = state { state = .open(until: time) }
  }

  /// The state to report.
  func health(at time: Duration) -> ServiceHealth.State {
    switch state {
    case .closed: .working
    case .open(let until) where time < until: .suspended(for: until - time)
    case .open, .probing: .onTrial
    }
  }
}

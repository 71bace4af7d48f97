/// Stops asking a service that keeps failing, and tries it again with one request after a while.
///
/// A value: times and outcomes in, decisions out.
struct CircuitBreaker: Sendable {
  private enum State {
    case closed(failuresInARow: Int)
    case open(until: Duration)
    case probing
  }

  /// Failures in a row that open it.
  let threshold: Int
  /// How long it stays open.
  let coolDown: Duration
  private var state = State.closed(failuresInARow: 0)

  init(threshold: Int, coolDown: Duration) {
    self.threshold = threshold
    self.coolDown = coolDown
  }

  /// Whether a request may be sent; if not, for how long.
  mutating func admit(at time: Duration) -> Duration? {
    switch state {
    case .closed: return nil
    case .open(let until) where time >= until:
      state = .probing
      return nil
    case .open(let until): return until - time
    // While one request finds out, the others are spared the wait.
    case .probing: return .zero
    }
  }

  /// An answer has begun, which counts for little: many break off. After a suspension the others may try
  /// their luck, and one more failure suspends the service again.
  mutating func noteAnswer() {
    if case .probing = state { state = .closed(failuresInARow: threshold - 1) }
  }

  /// An answer is complete.
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

  /// The request ended in a way that says nothing about the service, by being cancelled for instance.
  mutating func noteNothing(at time: Duration) {
    // The next request is the probe instead.
    if case .probing = state { state = .open(until: time) }
  }

  /// What to show of the state.
  func health(at time: Duration) -> ServiceHealth.State {
    switch state {
    case .closed: .working
    case .open(let until) where time < until: .suspended(for: until - time)
    case .open, .probing: .onTrial
    }
  }
}

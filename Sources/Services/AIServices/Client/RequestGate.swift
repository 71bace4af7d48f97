import SpeechConcurrency

/// Lets requests through in the order they came, no more at once and per minute than the limits say.
package final class RequestGate: Sendable {
  /// One who waits. Only the first in the queue is ever woken, however many there are.
  private struct Place {
    let ticket: Int
    let call: ChangeSignal
  }

  private struct State {
    var underWay = 0
    /// When the requests of the last minute were let through, the oldest first.
    var recent: [Duration] = []
    /// Those who wait, the first in front.
    var queue: [Place] = []
    var nextTicket = 0
    /// Nobody is let through before that time, because the service asked for a pause.
    var closedUntil = Duration.zero
  }

  private enum Verdict {
    case pass
    case wait(Duration?)
  }

  private let limits: ServiceLimits
  private let clock: ServiceClock
  private let state = Guarded(State())

  package init(limits: ServiceLimits, clock: ServiceClock) {
    self.limits = limits
    self.clock = clock
  }

  /// How many wait for their turn.
  var waiting: Int { state.withLock(\.queue.count) }

  /// Waits for its turn. Whoever entered has to `leave()`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  package func enter() async throws {
    let call = ChangeSignal()
    let ticket = state.withLock { state in
      state.nextTicket += 1
      state.queue.append(Place(ticket: state.nextTicket, call: call))
      return state.nextTicket
    }
    do {
      while true {
        try Task.checkCancellation()
        let version = call.version
        switch judge(ticket) {
        case .pass:
          callNext()
          return
        case .wait(nil): try await call.wait(after: version)
        case .wait(let time?): try await clock.sleep(time)
        }
      }
    } catch {
      state.withLock { state in state.queue.removeAll { $0.ticket == ticket } }
      callNext()
      throw error
    }
  }

  package func leave() {
    state.withLock { $0.underWay -= 1 }
    callNext()
  }

  /// Lets nobody through for that long.
  func close(for time: Duration) {
    let until = clock.now() + time
    state.withLock { $0.closedUntil = max($0.closedUntil, until) }
  }

  private func callNext() {
    state.withLock(\.queue.first)?.call.notify()
  }

  private func judge(_ ticket: Int) -> Verdict {
    let now = clock.now()
    let limits = limits
    return state.withLock { state in
      guard state.queue.first?.ticket == ticket, state.underWay < limits.concurrentRequests else {
        return .wait(nil)
      }
      if state.closedUntil > now { return .wait(state.closedUntil - now) }
      if let perMinute = limits.requestsPerMinute {
        state.recent.removeAll { $0 + .seconds(60) <= now }
        if state.recent.count >= perMinute { return .wait(state.recent[0] + .seconds(60) - now) }
        state.recent.append(now)
      }
      state.queue.removeFirst()
      state.underWay += 1
      return .pass
    }
  }
}

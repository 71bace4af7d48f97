import SpeechConcurrency

/// Admits requests in order, within the limits on simultaneous requests and requests per minute.
package final class RequestGate: Sendable {
  /// A waiting request. Only the first in the queue is ever resumed, however long the queue is.
  private struct Place {
    let ticket: Int
    let call: ChangeSignal
  }

  private struct State {
    var underWay = 0
    /// The times of the requests in the last minute, the oldest first.
    var recent: [Duration] = []
    /// The waiting requests in order.
    var queue: [Place] = []
    var nextTicket = 0
    /// No request is admitted before this time, because the service asked for a pause.
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

  /// The number of waiting requests.
  var waiting: Int { state.withLock(\.queue.count) }

  /// Waits for admission, unless the task is cancelled. Each success must be followed by `leave()`.
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

  /// Admits no request for the given time.
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

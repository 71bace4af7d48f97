import SpeechConcurrency

/// A gate in a reply: the server stops there until the test opens it.
///
/// ```swift
/// let gate = ReplyGate()
/// server.enqueue(.events([.send("data: one\n\n"), .wait(gate), .send("data: two\n\n")]))
/// // … the first event has been read
/// gate.open()
/// ```
public final class ReplyGate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Guarded(State())
  private let changes = ChangeSignal()

  /// A closed gate.
  public init() {}

  /// Lets all replies through, those that have come to it and those that will.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for wake in waiting { wake() }
  }

  /// Waits until that many replies have come to the gate.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func reached(times: Int = 1) async throws {
    while true {
      let version = changes.version
      if state.withLock({ $0.arrivals >= times }) { return }
      try await changes.wait(after: version)
    }
  }

  var isOpen: Bool { state.withLock(\.isOpen) }

  /// Comes to the gate. The closure is called when it opens.
  func arrive(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.arrivals += 1
      if !state.isOpen { state.waiting.append(wake) }
    }
    changes.notify()
  }
}

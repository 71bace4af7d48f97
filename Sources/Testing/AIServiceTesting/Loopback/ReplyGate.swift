import SpeechConcurrency

/// A gate in a reply, at which the server waits until the test opens it.
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

  /// Creates a closed gate.
  public init() {}

  /// Lets all present and future replies pass.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for wake in waiting { wake() }
  }

  /// Waits until that many replies have reached the gate.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func reached(times: Int = 1) async throws {
    try await changes.wait(until: { state.withLock { $0.arrivals >= times } })
  }

  var isOpen: Bool { state.withLock(\.isOpen) }

  /// Registers a reply at the gate. The closure is called when the gate opens.
  func arrive(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.arrivals += 1
      if !state.isOpen { state.waiting.append(wake) }
    }
    changes.notify()
  }
}

import SpeechConcurrency

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = SteppedClock()
/// let late = Task { try await clock.sleep(for: .seconds(5)) }
/// try await clock.advance(toSleeperAfter: .seconds(5))
/// ```
public final class SteppedClock: Clock, Sendable {
  /// An instant of a stepped clock.
  public typealias Instant = SkippingClock.Instant

  private struct State {
    var now = Duration.zero
    var nextID = 0
    /// The deadlines of the tasks that sleep.
    var deadlines: [Int: Duration] = [:]
  }

  private let state = Guarded(State())
  private let changed = ChangeSignal()

  /// Creates a clock at time zero.
  public init() {}

  /// The current instant of the clock.
  public var now: Instant { Instant(offset: state.withLock(\.now)) }
  /// Zero, because any wait is possible.
  public var minimumResolution: Duration { .zero }

  /// Waits until the clock reaches an instant.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      state.deadlines[state.nextID] = deadline.offset
      return state.nextID
    }
    defer { state.withLock { $0.deadlines[id] = nil } }
    changed.notify()
    try await withTaskCancellationHandler {
      while true {
        let version = changed.version
        try Task.checkCancellation()
        if now >= deadline { return }
        try await changed.wait(after: version)
      }
    } onCancel: {
      // At once, so that no test advances the time to a sleeper that is about to leave.
      state.withLock { $0.deadlines[id] = nil }
    }
  }

  /// Advances the time by a duration, and wakes the sleepers whose deadlines have passed.
  public func advance(by duration: Duration) {
    state.withLock { $0.now += duration }
    changed.notify()
  }

  /// Waits for a sleeper with that deadline from now, and advances the time to it.
  public func advance(toSleeperAfter duration: Duration) async throws {
    try await changed.wait(until: {
      state.withLock { state in state.deadlines.values.contains { $0 - state.now == duration } }
    })
    advance(by: duration)
  }
}

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
    var sleepers: [Int: (deadline: Duration, continuation: CheckedContinuation<Bool, Never>)] = [:]
    var cancelled: Set<Int> = []
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
      return state.nextID
    }
    let isInTime = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result = state.withLock { state -> Bool? in
          if state.cancelled.remove(id) != nil { return false }
          if deadline.offset <= state.now { return true }
          state.sleepers[id] = (deadline.offset, continuation)
          return nil
        }
        if let result { continuation.resume(returning: result) } else { changed.notify() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        guard let sleeper = state.sleepers.removeValue(forKey: id) else {
          state.cancelled.insert(id)
          return nil as CheckedContinuation<Bool, Never>?
        }
        return sleeper.continuation
      }
      continuation?.resume(returning: false)
    }
    guard isInTime else { throw CancellationError() }
  }

  /// Advances the time by a duration, and wakes the sleepers whose deadlines have passed.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }.map(\.continuation)
    }
    for continuation in due { continuation.resume(returning: true) }
  }

  /// Waits for a sleeper with that deadline from now, and advances the time to it.
  public func advance(toSleeperAfter duration: Duration) async throws {
    while true {
      let version = changed.version
      let isThere = state.withLock { state in
        state.sleepers.values.contains { $0.deadline - state.now == duration }
      }
      if isThere { return advance(by: duration) }
      try await changed.wait(after: version)
    }
  }
}

import SpeechConcurrency

/// A clock on which every wait ends at once and is recorded.
///
/// ```swift
/// let clock = SkippingClock()
/// try await clock.sleep(for: .seconds(30))   // returns at once
/// #expect(clock.waits == [.seconds(30)])
/// ```
public final class SkippingClock: Clock {
  /// An instant of a skipping clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// Creates an instant at an offset.
    public init(offset: Duration) { self.offset = offset }

    /// Returns the instant that is later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration to another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns true if the first instant is earlier.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct State {
    var time = Duration.zero
    var waits: [Duration] = []
  }

  private let state = Guarded(State())

  /// Creates a clock at time zero.
  public init() {}

  /// The current instant of the clock.
  public var now: Instant { Instant(offset: state.withLock(\.time)) }

  /// Zero, because any wait is possible.
  public var minimumResolution: Duration { .zero }

  /// The durations of all waits, in order.
  public var waits: [Duration] { state.withLock(\.waits) }

  /// Advances the time to an instant and returns.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.waits.append(max(.zero, deadline.offset - state.time))
      state.time = max(state.time, deadline.offset)
    }
    await Task.yield()
  }

  /// Advances the time by a duration.
  public func advance(by time: Duration) {
    state.withLock { $0.time += time }
  }
}

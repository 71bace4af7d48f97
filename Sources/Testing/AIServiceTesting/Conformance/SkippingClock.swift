import SpeechConcurrency

/// A clock on which every wait is over at once, and remembered.
///
/// ```swift
/// let clock = SkippingClock()
/// try await clock.sleep(for: .seconds(30))   // returns at once
/// #expect(clock.waits == [.seconds(30)])
/// ```
public final class SkippingClock: Clock {
  /// A moment of a skipping clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public var offset: Duration

    /// A moment.
    public init(offset: Duration) { self.offset = offset }

    /// The moment that much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How long it is until the other moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one moment is before the other.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct State {
    var time = Duration.zero
    var waits: [Duration] = []
  }

  private let state = Guarded(State())

  /// A clock at time zero.
  public init() {}

  /// The current moment.
  public var now: Instant { Instant(offset: state.withLock(\.time)) }

  /// Nothing is too short.
  public var minimumResolution: Duration { .zero }

  /// How long those were who waited, in order.
  public var waits: [Duration] { state.withLock(\.waits) }

  /// Moves the time to that moment and returns.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.waits.append(max(.zero, deadline.offset - state.time))
      state.time = max(state.time, deadline.offset)
    }
    await Task.yield()
  }

  /// Moves the time on.
  public func advance(by time: Duration) {
    state.withLock { $0.time += time }
  }
}

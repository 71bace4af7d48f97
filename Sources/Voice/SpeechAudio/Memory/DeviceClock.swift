/// The time that in-memory devices live in.
///
/// `RealClock` makes them keep the pace of real devices; a `VirtualClock` lets them run as fast as the
/// program can follow, with the same result each time.
public protocol DeviceClock: Sendable {
  /// The time since the clock was made.
  var time: Duration { get }

  /// Waits for that time without holding the clock.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(until time: Duration) async throws

  /// Makes a timer for a device that is about to work with this clock.
  func makeTimer() -> any DeviceTimer
}

/// A device's hold on its clock, from `makeTimer()` to `cancel()`.
///
/// While a device is awake, a virtual clock stands still: what the program does in between takes no time.
public protocol DeviceTimer: Sendable {
  /// Sleeps until that time on the clock.
  ///
  /// - Throws: `CancellationError` when the task or the timer is cancelled.
  func sleep(until time: Duration) async throws

  /// Ends the hold and wakes whoever sleeps on it. May be called more than once.
  func cancel()
}

/// The time of the world outside.
public struct RealClock: DeviceClock {
  private let origin = ContinuousClock.now

  /// A clock that starts now.
  public init() {}

  /// The time since the clock was made.
  public var time: Duration { origin.duration(to: .now) }

  /// Waits for that time.
  public func sleep(until time: Duration) async throws {
    try await ContinuousClock().sleep(until: origin.advanced(by: time))
  }

  /// A timer of the world outside.
  public func makeTimer() -> any DeviceTimer { RealTimer(clock: self) }
}

private final class RealTimer: DeviceTimer {
  private let clock: RealClock
  private let waits = CancellableWaits()

  init(clock: RealClock) {
    self.clock = clock
  }

  func sleep(until time: Duration) async throws {
    let clock = clock
    try await waits.run { try await clock.sleep(until: time) }
  }

  func cancel() { waits.cancelAll() }
}

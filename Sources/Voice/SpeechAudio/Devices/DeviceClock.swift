/// The clock of in-memory devices.
///
/// With a `RealClock` they keep the pace of real devices; with a `VirtualClock` they run as fast as
/// the program can follow, with the same result each time.
public protocol DeviceClock: Sendable {
  /// The time since the clock was created.
  var time: Duration { get }

  /// Waits for that time without holding the clock.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(until time: Duration) async throws

  /// Creates a timer for a device that uses this clock.
  func makeTimer() -> any DeviceTimer
}

/// A device's hold on its clock, from `makeTimer()` to `cancel()`.
///
/// A virtual clock stands still while a device is awake: the work of the program in between takes
/// no time.
public protocol DeviceTimer: Sendable {
  /// Sleeps until that time on the clock.
  ///
  /// - Throws: `CancellationError` when the task or the timer is cancelled.
  func sleep(until time: Duration) async throws

  /// Ends the hold and wakes the sleeper. May be called more than once.
  func cancel()
}

/// The clock of the real world.
public struct RealClock: DeviceClock {
  private let origin = ContinuousClock.now

  /// Creates a clock that starts now.
  public init() {}

  /// The time since the clock was created.
  public var time: Duration { origin.duration(to: .now) }

  /// Waits for that time.
  public func sleep(until time: Duration) async throws {
    try await ContinuousClock().sleep(until: origin.advanced(by: time))
  }

  /// Creates a timer of real time.
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

/// A clock that runs faster or slower than another, like the quartz of another device.
public struct DriftingClock: DeviceClock {
  private struct Timer: DeviceTimer {
    let inner: any DeviceTimer
    let pace: Double

    func sleep(until time: Duration) async throws { try await inner.sleep(until: time / pace) }
    func cancel() { inner.cancel() }
  }

  private let base: any DeviceClock
  /// The seconds of this clock in a second of the base clock.
  public let pace: Double

  /// Creates a clock that is faster by the given parts per million.
  public init(_ base: any DeviceClock, partsPerMillion: Double) {
    self.base = base
    pace = 1 + partsPerMillion * 1e-6
  }

  /// The time since the base clock's origin, as this clock counts it.
  public var time: Duration { base.time * pace }

  /// Waits until a time of this clock.
  public func sleep(until time: Duration) async throws { try await base.sleep(until: time / pace) }

  /// Returns a timer of this clock, which holds the base clock.
  public func makeTimer() -> any DeviceTimer { Timer(inner: base.makeTimer(), pace: pace) }
}

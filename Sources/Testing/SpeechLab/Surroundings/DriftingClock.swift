/// A clock that runs faster or slower than another: the quartz of another device.
public struct DriftingClock: DeviceClock {
  private struct Timer: DeviceTimer {
    let inner: any DeviceTimer
    let pace: Double

    func sleep(until time: Duration) async throws { try await inner.sleep(until: time / pace) }
    func cancel() { inner.cancel() }
  }

  private let base: any DeviceClock
  /// Its seconds in a second of the base.
  public let pace: Double

  /// A clock that is so many parts in a million faster.
  public init(_ base: any DeviceClock, partsPerMillion: Double) {
    self.base = base
    pace = 1 + partsPerMillion * 1e-6
  }

  /// The time since the base was made, as this clock counts it.
  public var time: Duration { base.time * pace }

  /// Waits for that time of this clock.
  public func sleep(until time: Duration) async throws { try await base.sleep(until: time / pace) }

  /// A timer of this clock, which holds the base.
  public func makeTimer() -> any DeviceTimer { Timer(inner: base.makeTimer(), pace: pace) }
}

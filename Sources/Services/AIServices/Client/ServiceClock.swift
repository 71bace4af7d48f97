import Foundation

/// The time that waiting and measuring go by: a monotonic one for durations, the calendar's for dates.
public struct ServiceClock: Sendable {
  /// The time since some moment in the past.
  public let now: @Sendable () -> Duration
  /// The date, which servers write into `Retry-After` and retirement tables speak of.
  public let date: @Sendable () -> Date
  /// Waits. Throws `CancellationError` when the task is cancelled.
  public let sleep: @Sendable (Duration) async throws -> Void

  /// The time of that clock.
  public init<C: Clock>(
    _ clock: C, date: @escaping @Sendable () -> Date = { Date() }
  ) where C.Duration == Duration {
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    self.date = date
  }

  /// The time of the world outside.
  public static let real = ServiceClock(ContinuousClock())
}

import Foundation
import SpeechConcurrency

/// The clock of a service: monotonic for durations, and the calendar date.
public struct ServiceClock: Sendable {
  /// The time since a fixed moment in the past.
  public let now: @Sendable () -> Duration
  /// The current date, for `Retry-After` and the retirement of models.
  public let date: @Sendable () -> Date
  /// Waits for a duration. Throws `CancellationError` when the task is cancelled.
  public let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a clock from one of the standard library.
  public init<C: Clock>(
    _ clock: C, date: @escaping @Sendable () -> Date = { Date() }
  ) where C.Duration == Duration {
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    self.date = date
  }

  /// The machine's clock. Its pauses are external work.
  private init() {
    let clock = ContinuousClock()
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
    sleep = { duration in try await ExternalWork.pause { try await clock.sleep(for: duration) } }
    date = { Date() }
  }

  /// The real time of the system.
  public static let real = ServiceClock()
}

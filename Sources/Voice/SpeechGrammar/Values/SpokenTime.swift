import Foundation

/// A time of day as it was spoken.
///
/// ```swift
/// match["when"]?.time   // “half past seven in the evening”: 19:30
/// ```
public struct SpokenTime: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The hour, from 0 to 23, or from 1 to 12 if the half of the day is unknown.
  public var hour: Int
  /// The minute of the hour.
  public var minute: Int
  /// True if the half of the day is known, as in “seven p.m.” and “nineteen thirty” but not in
  /// “seven”.
  public var isHalfKnown: Bool

  /// Creates a time of day.
  public init(hour: Int, minute: Int = 0, isHalfKnown: Bool = true) {
    self.hour = hour
    self.minute = minute
    self.isHalfKnown = isHalfKnown
  }

  /// A description such as “19:30”.
  public var description: String { String(format: "%02d:%02d", hour, minute) }

  /// The hour and minute as date components.
  package var components: DateComponents { DateComponents(hour: hour, minute: minute) }

  /// The first moment after another at which a clock shows this time, in either half of the day if
  /// that is unknown.
  public func next(after moment: Date, calendar: Calendar = .current) -> Date? {
    let hours = isHalfKnown ? [hour] : [hour % 12, hour % 12 + 12]
    return hours.compactMap { hour in
      calendar.nextDate(
        after: moment, matching: DateComponents(hour: hour, minute: minute, second: 0),
        matchingPolicy: .nextTime)
    }.min()
  }
}

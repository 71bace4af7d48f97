import Foundation

/// A time of day as it was said.
///
/// ```swift
/// match["when"]?.time   // “half past seven in the evening”: 19:30
/// ```
public struct SpokenTime: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The hour, from 0 to 23; if nothing told the half of the day, as it was said, from 1 to 12.
  public var hour: Int
  /// The minute.
  public var minute: Int
  /// Whether the half of the day is known: “seven p.m.” and “nineteen thirty” tell it, “seven” does not.
  public var isHalfKnown: Bool

  /// A time of day.
  public init(hour: Int, minute: Int = 0, isHalfKnown: Bool = true) {
    self.hour = hour
    self.minute = minute
    self.isHalfKnown = isHalfKnown
  }

  /// “19:30”.
  public var description: String { String(format: "%02d:%02d", hour, minute) }

  /// The hour and the minute for a calendar.
  public var components: DateComponents { DateComponents(hour: hour, minute: minute) }

  /// The first moment behind that one at which a clock shows the time, in either half of the day if that
  /// was not told.
  public func next(after moment: Date, calendar: Calendar = .current) -> Date? {
    let hours = isHalfKnown ? [hour] : [hour % 12, hour % 12 + 12]
    return hours.compactMap { hour in
      calendar.nextDate(
        after: moment, matching: DateComponents(hour: hour, minute: minute, second: 0),
        matchingPolicy: .nextTime)
    }.min()
  }
}

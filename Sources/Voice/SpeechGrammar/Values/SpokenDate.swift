import Foundation

/// A date as it was spoken: named, or relative to today.
///
/// ```swift
/// match["day"]?.date                       // “the third of may”: day 3, month 5
/// match["day"]?.date?.date(from: .now)     // the third of May that comes next
/// ```
public struct SpokenDate: Sendable, Hashable, Codable {
  /// The week that a weekday refers to.
  public enum Direction: String, Sendable, Hashable, Codable {
    /// The coming one, today included.
    case this
    /// The first one after today.
    case next
    /// The last one before today.
    case last
  }

  /// The day of the month.
  public var day: Int?
  /// The number of the month, from 1.
  public var month: Int?
  /// The year, if it was spoken.
  public var year: Int?
  /// The day of the week, from 1, a Sunday, to 7.
  public var weekday: Int?
  /// The direction of the weekday.
  public var direction: Direction?
  /// The distance from today, in days, weeks, months and years.
  public var distance: DateComponents?

  /// Resolves the date relative to a moment, and returns the beginning of that day; `nil` if there
  /// is no such day, such as the thirty first of february.
  ///
  /// Without a year it is the coming one, today included. A weekday alone is the first one after
  /// today.
  public func date(from today: Date, calendar: Calendar = .current) -> Date? {
    let start = calendar.startOfDay(for: today)
    if let distance { return calendar.date(byAdding: distance, to: start) }
    guard let day else {
      guard let weekday else { return nil }
      return self.weekday(weekday, from: start, calendar)
    }
    let now = calendar.dateComponents([.year, .month], from: start)
    guard let thisYear = now.year, let thisMonth = now.month else { return nil }
    let candidates =
      if let month {
        (year.map { [$0] } ?? Array(thisYear...thisYear + 8)).map { (year: $0, month: month) }
      } else {
        (thisMonth - 1...thisMonth + 11).map { (year: thisYear + $0 / 12, month: $0 % 12 + 1) }
      }
    for candidate in candidates {
      let wanted = DateComponents(year: candidate.year, month: candidate.month, day: day)
      guard let date = calendar.date(from: wanted),
        calendar.dateComponents([.month, .day], from: date)
          == DateComponents(month: candidate.month, day: day)
      else { continue }
      if year != nil || date >= start { return date }
    }
    return nil
  }

  /// Resolves the date relative to a moment, as year, month and day.
  package func components(from today: Date, calendar: Calendar = .current) -> DateComponents? {
    date(from: today, calendar: calendar)
      .map { calendar.dateComponents([.year, .month, .day], from: $0) }
  }

  private func weekday(_ weekday: Int, from start: Date, _ calendar: Calendar) -> Date? {
    let today = calendar.component(.weekday, from: start)
    let ahead = (weekday - today + 7) % 7
    let days =
      switch direction {
      case .this: ahead
      case .next, nil: ahead == 0 ? 7 : ahead
      case .last: ahead == 0 ? -7 : ahead - 7
      }
    return calendar.date(byAdding: .day, value: days, to: start)
  }
}

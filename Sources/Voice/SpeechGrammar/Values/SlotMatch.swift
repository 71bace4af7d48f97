/// What was said in a slot, and what it means.
public struct SlotMatch: Sendable, Hashable {
  /// What can be meant.
  public enum Value: Sendable, Hashable {
    /// One of the slot's values, by its code.
    case choice(String)
    /// A number.
    case number(Int)
    /// A place in an order, from 1.
    case ordinal(Int)
    /// A time of day.
    case time(SpokenTime)
    /// A day.
    case date(SpokenDate)
    /// A length of time.
    case duration(Duration)
  }

  /// The name of the slot.
  public var name: String
  /// What it means.
  public var value: Value
  /// The words as they were given.
  public var text: String
  /// Which of the match's words they are.
  public var words: Range<Int>

  /// The code of a value; `nil` for ready-made slots.
  public var code: String? {
    if case .choice(let code) = value { return code }
    return nil
  }

  /// The number or the place in an order; also that of a value whose code is a number.
  public var integer: Int? {
    switch value {
    case .number(let number), .ordinal(let number): number
    case .choice(let code): Int(code)
    case .time, .date, .duration: nil
    }
  }

  /// The time of day.
  public var time: SpokenTime? {
    if case .time(let time) = value { return time }
    return nil
  }

  /// The day.
  public var date: SpokenDate? {
    if case .date(let date) = value { return date }
    return nil
  }

  /// The length of time.
  public var duration: Duration? {
    if case .duration(let duration) = value { return duration }
    return nil
  }
}

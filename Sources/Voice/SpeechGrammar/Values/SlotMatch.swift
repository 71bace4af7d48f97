/// The value of a slot in a sentence, and the words that gave it.
public struct SlotMatch: Sendable, Hashable {
  /// The kinds of values.
  public enum Value: Sendable, Hashable {
    /// One of the slot's values, as its code.
    case choice(String)
    /// A whole number.
    case number(Int)
    /// An ordinal, from 1.
    case ordinal(Int)
    /// A time of day.
    case time(SpokenTime)
    /// A date, absolute or relative to today.
    case date(SpokenDate)
    /// A duration.
    case duration(Duration)
  }

  /// The name of the slot.
  public var name: String
  /// The value of the words.
  public var value: Value
  /// The words of the slot in the text.
  public var text: String
  /// The range of the slot's words in the match.
  package var words: Range<Int>

  /// The code of a value; `nil` for slots of built-in types.
  public var code: String? {
    if case .choice(let code) = value { return code }
    return nil
  }

  /// The number or ordinal; also that of a value whose code is a number.
  public var integer: Int? {
    switch value {
    case .number(let number), .ordinal(let number): number
    case .choice(let code): Int(code)
    case .time, .date, .duration: nil
    }
  }

  /// The time of day, if the slot holds one.
  public var time: SpokenTime? {
    if case .time(let time) = value { return time }
    return nil
  }

  /// The date, if the slot holds one.
  public var date: SpokenDate? {
    if case .date(let date) = value { return date }
    return nil
  }

  /// The duration, if the slot holds one.
  public var duration: Duration? {
    if case .duration(let duration) = value { return duration }
    return nil
  }
}

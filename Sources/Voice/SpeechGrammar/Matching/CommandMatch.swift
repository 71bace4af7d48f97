import Foundation

/// What a sentence means by a grammar: the intent, and what was said in its slots.
///
/// ```swift
/// let match = try CommandMatcher(home).match("turn off the living room lights")
/// match?.intent            // "switch_light"
/// match?["room"]?.code     // "living_room"
/// ```
public struct CommandMatch: Sendable, Hashable {
  /// The name of the intent.
  public var intent: String
  /// The words as they were given.
  public var words: [String]
  /// What was said in slots, in the order in which it was said; a slot may be there several times.
  public var slots: [SlotMatch]
  /// The tags outside slots, in the order in which they are written; the meaning of a JSGF grammar.
  public var tags: [String]
  /// The product of the weights of all that was chosen.
  public var weight: Double

  /// What was said first in the slot of that name; `nil` if nothing was.
  public subscript(name: String) -> SlotMatch? { slots.first { $0.name == name } }

  /// Everything that was said in slots of that name.
  public func all(_ name: String) -> [SlotMatch] { slots.filter { $0.name == name } }
}

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

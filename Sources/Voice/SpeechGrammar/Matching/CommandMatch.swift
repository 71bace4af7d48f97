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

/// The meaning of a sentence: the intent, and the values of its slots.
///
/// ```swift
/// let match = try CommandMatcher(home).match("turn off the living room lights")
/// match?.intent            // "switch_light"
/// match?["room"]?.code     // "living_room"
/// ```
public struct CommandMatch: Sendable, Hashable {
  /// The name of the intent.
  public var intent: String
  package var words: [String]
  /// The slots in the order of the sentence; a slot may occur several times.
  public var slots: [SlotMatch]
  /// The tags outside of slots, in the order of the source: the meaning of a JSGF grammar.
  public var tags: [String]
  /// The product of the weights of all chosen alternatives.
  package var weight: Double

  /// The first value of a slot; `nil` if it does not occur.
  public subscript(name: String) -> SlotMatch? { slots.first { $0.name == name } }

  /// All values of a slot.
  public func all(_ name: String) -> [SlotMatch] { slots.filter { $0.name == name } }
}

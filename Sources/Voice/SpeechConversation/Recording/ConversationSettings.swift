/// What a conversation was held with, so that it can be held again.
///
/// ```swift
/// var settings = try ConversationBundle(contentsOf: folder).settings
/// settings.rules.interruption.isAllowed = false
/// ```
public struct ConversationSettings: Sendable, Hashable, Codable {
  /// The form in which it is written.
  public var version = 1
  /// Whether it was held in a virtual world, where it happens again to the microsecond.
  public var isVirtual = false
  /// How turns are taken.
  public var rules = TurnRules()
  /// The language of the user.
  public var language = "en-US"
  /// The voice that replies; `nil` for the engine's choice.
  public var voice: String?
  /// What is said first; nothing if empty.
  public var greeting = ""
  /// The grammar of what may be said, as JSGF; `nil` for dictation.
  public var grammar: String?
  /// Who replies, by the name that whoever recorded it has for it.
  public var responder = ""
  /// The rules that a model is given.
  public var systemPrompt: String?
  /// What else whoever recorded it wants to know again.
  public var options: [String: String] = [:]

  /// The usual settings.
  public init() {}
}

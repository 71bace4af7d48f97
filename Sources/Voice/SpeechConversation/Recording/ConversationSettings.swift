import Foundation

/// The settings of a conversation, with which it can be held again.
///
/// ```swift
/// var settings = try ConversationBundle(contentsOf: folder).settings
/// settings.rules.interruption.isAllowed = false
/// ```
public struct ConversationSettings: Sendable, Hashable, Codable {
  /// The version of the file format.
  public var version = 1
  /// True if the conversation was held in virtual time, where it can be repeated to the
  /// microsecond.
  public var isVirtual = false
  /// The rules of turn-taking.
  public var rules = TurnRules()
  /// The language of the user, as a BCP 47 tag.
  public var language = "en-US"
  /// The identifier of the voice that replies; `nil` for the engine's default.
  public var voice: String?
  /// The text that was spoken first; empty for none.
  public var greeting = ""
  /// The grammar of the recogniser as JSGF; `nil` for dictation.
  public var grammar: String?
  /// The name of the responder, as chosen by the recording program.
  public var responder = ""
  /// The system prompt of the model.
  public var systemPrompt: String?
  /// Further settings of the recording program.
  public var options: [String: String] = [:]

  /// Creates the default settings.
  public init() {}

  /// The settings as JSON, with sorted keys.
  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }
}

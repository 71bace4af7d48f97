import Foundation
import SpeechActions
import SpeechConversation
import SpeechGrammar

/// Commands by voice over a text that is there already, made from the actions that a user has: “translate that
/// to Spanish”, “summarise the selection”, “correct that and replace it”.
///
/// ```swift
/// let commands = try ActionCommands(configuration.actions)
/// commands.command(in: "translate that to spanish and copy it")?.language?.name   // “Spanish”
/// ```
/// The recogniser gets `grammar`; `ActionCommandResponder` does in a voice loop what is said. Every active
/// action is called by its name, as far as that is made of letters; those that have a gap for the target
/// language may be given one.
public struct ActionCommands: Sendable {
  /// What was asked for.
  public struct Command: Sendable, Hashable {
    /// The action.
    public var action: TextAction
    /// The language to answer in, if one was named.
    public var language: LanguageName?
    /// What becomes of the answer besides being spoken.
    public var delivery: Delivery
  }

  /// What becomes of an answer besides being spoken.
  public enum Delivery: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case speak
    /// It is put on the clipboard.
    case copy
    /// It takes the place of the text.
    case replace
  }

  /// All sentences.
  public let grammar: CommandGrammar
  private let matcher: CommandMatcher
  private let actions: [String: TextAction]

  /// The commands for a library.
  ///
  /// - Parameter languages: those that may be named.
  /// - Throws: `CommandGrammarError` when there is no action that could be called by its name.
  public init(
    _ library: ActionLibrary, languages: [LanguageName] = LanguageName.common
  ) throws(CommandGrammarError) {
    var actions: [String: TextAction] = [:]
    var intents: [CommandGrammar.Intent] = []
    var names: Set<String> = []
    for action in library.active {
      let name = Self.spokenName(of: action)
      guard !name.isEmpty, names.insert(name).inserted else { continue }
      let intent = "action_\(intents.count + 1)"
      intents.append(.init(name: intent, phrase: Self.phrase(name, action, languages)))
      actions[intent] = action
    }
    grammar = CommandGrammar(name: "actions", intents: intents)
    matcher = try CommandMatcher(grammar)
    self.actions = actions
  }

  /// What a sentence asks for; `nil` for what is none of these.
  public func command(in text: String) -> Command? {
    guard let match = matcher.match(text), let action = actions[match.intent] else { return nil }
    return Command(
      action: action, language: match["language"]?.code.map { LanguageName($0) },
      delivery: match["delivery"]?.code.flatMap(Delivery.init(rawValue:))
        ?? (action.postProcessing.contains(.replaceOriginal) ? .replace : .speak))
  }

  /// The words of its name, without what cannot be said.
  private static func spokenName(of action: TextAction) -> String {
    action.name.lowercased()
      .split { !($0.isASCII && $0.isLetter || $0 == "'") }.joined(separator: " ")
  }

  private static func phrase(
    _ name: String, _ action: TextAction, _ languages: [LanguageName]
  ) -> Phrase {
    let object = Phrase {
      Optionally { "of" }
      OneOf {
        "that"
        "this"
        "it"
        "the selection"
        "the text"
      }
    }
    var parts = [Phrase(name)]
    // A single word is heard where nobody said it; two are not.
    parts.append(name.contains(" ") ? .optional(object) : object)
    if !languages.isEmpty, asksForLanguage(action) {
      let values = languages.map { Value($0.name.lowercased(), code: $0.code ?? $0.name) }
      parts.append(
        .optional(
          Phrase {
            OneOf(["to", "into", "in"])
            Slot("language", .values(values))
          }))
    }
    parts.append(
      .optional(
        Phrase {
          "and"
          Slot("delivery") {
            Value("copy", code: Delivery.copy.rawValue)
            Value("replace", code: Delivery.replace.rawValue)
          }
          "it"
        }))
    return .joined(parts)
  }

  private static func asksForLanguage(_ action: TextAction) -> Bool {
    [action.prompt, action.system].contains { source in
      (try? PromptTemplate(source).variables.contains("target_language")) == true
    }
  }
}

import Foundation
import SpeechActions
import SpeechConversation
import SpeechGrammar

/// Voice commands for an existing text, derived from the user's actions: “translate that to
/// Spanish”, “summarise the selection”, “correct that and replace it”.
///
/// ```swift
/// let commands = try ActionCommands(configuration.actions)
/// commands.command(in: "translate that to spanish and copy it")?.language?.name   // “Spanish”
/// ```
/// The recogniser uses `grammar`, and `ActionCommandResponder` runs the commands in a voice loop.
/// Every active action is called by the words of its name. Actions with a placeholder for the
/// target language accept a language.
public struct ActionCommands: Sendable {
  /// A command found in a sentence.
  public struct Command: Sendable, Hashable {
    /// The action to run.
    public var action: TextAction
    /// The target language, if the command names one.
    public var language: LanguageName?
    /// The use of the answer besides speaking it.
    public var delivery: Delivery
  }

  /// A use of an answer besides speaking it.
  public enum Delivery: String, Sendable, Hashable, CaseIterable {
    /// No further use.
    case speak
    /// Copies the answer to the clipboard.
    case copy
    /// Replaces the text with the answer.
    case replace
  }

  /// The grammar of all commands.
  public let grammar: CommandGrammar
  private let matcher: CommandMatcher
  private let actions: [String: TextAction]

  /// Creates the commands of a library.
  ///
  /// - Parameter languages: The target languages that commands may name.
  /// - Throws: `CommandGrammarError` if no action has a name that can be spoken.
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

  /// Returns the command in a sentence; `nil` for any other sentence.
  public func command(in text: String) -> Command? {
    guard let match = matcher.match(text), let action = actions[match.intent] else { return nil }
    return Command(
      action: action, language: match["language"]?.code.map { LanguageName($0) },
      delivery: match["delivery"]?.code.flatMap(Delivery.init(rawValue:))
        ?? (action.postProcessing.contains(.replaceOriginal) ? .replace : .speak))
  }

  /// Returns the words of an action's name that can be spoken.
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
    // A single word is easily recognised by mistake, unlike two words.
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

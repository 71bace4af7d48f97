import SpeechCore
import SpeechGrammar

/// Answers commands of a grammar, each intent with a closure of its own.
///
/// ```swift
/// let responder = try IntentResponder(home, otherwise: chat)
///   .on("switch_light") { match in
///     lights.set(match["room"]?.code, on: match["state"]?.code == "on")
///     return "Done."
///   }
/// ```
public struct IntentResponder: Responder {
  /// What is done for an intent; what it returns is said.
  public typealias Handler = @Sendable (CommandMatch) async throws -> String

  private let matcher: CommandMatcher
  private var handlers: [String: Handler] = [:]
  private let otherwise: (any Responder)?

  /// A responder for that grammar.
  ///
  /// - Parameter otherwise: who is asked when the text is no command, or nobody handles its intent; without
  ///   one, the user is told so.
  /// - Throws: `CommandGrammarError` if the grammar cannot be used.
  public init(
    _ grammar: CommandGrammar, otherwise: (any Responder)? = nil
  ) throws(CommandGrammarError) {
    matcher = try CommandMatcher(grammar)
    self.otherwise = otherwise
  }

  /// The same with a handler for that intent.
  public func on(_ intent: String, _ handler: @escaping Handler) -> IntentResponder {
    var responder = self
    responder.handlers[intent] = handler
    return responder
  }

  /// What the handler of the command says.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    // What is done cannot be thrown away, so it is not done on a guess.
    guard !turn.isEarly else { return .saying("") }
    guard let match = matcher.match(turn.text), let handler = handlers[match.intent] else {
      return otherwise?.reply(to: turn, in: history) ?? .saying("I did not understand that.")
    }
    return .pieces { pieces in pieces.yield(.text(try await handler(match))) }
  }
}

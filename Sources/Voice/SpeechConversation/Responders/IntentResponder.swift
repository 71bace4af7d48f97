import SpeechCore
import SpeechGrammar

/// Answers the commands of a grammar with a closure for each intent.
///
/// ```swift
/// let responder = try IntentResponder(home, otherwise: chat)
///   .on("switch_light") { match in
///     lights.set(match["room"]?.code, on: match["state"]?.code == "on")
///     return "Done."
///   }
/// ```
public struct IntentResponder: Responder {
  /// Handles a command and returns the reply.
  public typealias Handler = @Sendable (CommandMatch) async throws -> String

  private let matcher: CommandMatcher
  private var handlers: [String: Handler] = [:]
  private let otherwise: (any Responder)?

  /// Creates a responder for a grammar.
  ///
  /// - Parameter otherwise: The responder for text that is no command, or whose intent has no
  ///   handler. Without it the reply says that the command is unknown.
  /// - Throws: `CommandGrammarError` if the grammar cannot be used.
  public init(
    _ grammar: CommandGrammar, otherwise: (any Responder)? = nil
  ) throws(CommandGrammarError) {
    matcher = try CommandMatcher(grammar)
    self.otherwise = otherwise
  }

  /// Returns a responder that also handles the intent.
  public func on(_ intent: String, _ handler: @escaping Handler) -> IntentResponder {
    var responder = self
    responder.handlers[intent] = handler
    return responder
  }

  /// Returns the reply of the command's handler.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    // A command cannot be undone, so it is not carried out on a guess.
    guard !turn.isEarly else { return .saying("") }
    guard let match = matcher.match(turn.text), let handler = handlers[match.intent] else {
      return otherwise?.reply(to: turn, in: history) ?? .saying("I did not understand that.")
    }
    return .pieces { pieces in pieces.yield(.text(try await handler(match))) }
  }
}

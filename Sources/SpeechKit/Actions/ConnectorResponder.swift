import SpeechActions
import SpeechConversation

/// Talks by way of a connector: any service that actions can ask can also be talked with.
///
/// ```swift
/// let responder = ConnectorResponder(try configuration.connector("work"))
/// ```
/// What was said before is told to the model in the question, as far as the user heard it.
public struct ConnectorResponder: Responder {
  private static let action = TextAction(
    id: "conversation", name: "Conversation",
    prompt: """
      {{#if conversation}}The conversation so far, in which you are the assistant:

      {{conversation}}

      The user says now:

      {{/if}}{{text}}
      """, system: "{{rules|}}", postProcessing: [])

  private let responder: ActionResponder

  /// A responder that asks that connector.
  ///
  /// - Parameters:
  ///   - systemPrompt: the rules for the model, below the connector's own; none if empty.
  ///   - runner: asks it.
  ///   - maximumHistory: how many entries of the conversation are sent along.
  public init(
    _ connector: Connector, systemPrompt: String = ChatResponder.spokenAnswers,
    runner: ActionRunner = ActionRunner(), maximumHistory: Int = 20
  ) {
    var action = Self.action
    action.routing.connectors = [connector.id]
    responder = ActionResponder(action, connectors: [connector], runner: runner) { turn, history in
      let lines = history.suffix(maximumHistory).entries.filter { !$0.text.isEmpty }.map { entry in
        entry.speaker == .user ? "User: \(entry.text)" : "Assistant: \(entry.text)"
      }
      return ActionInput(
        turn.text,
        variables: ["conversation": lines.joined(separator: "\n"), "rules": systemPrompt])
    }
  }

  /// What the service answers.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    responder.reply(to: turn, in: history)
  }
}

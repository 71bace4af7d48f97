import SpeechActions
import SpeechCloud
import SpeechConversation

/// Talks by way of a connector: any service that actions can ask can also be talked with.
///
/// ```swift
/// let responder = ConnectorResponder(try configuration.connector("work"))
/// ```
/// What was said before goes along as messages, as far as the user heard it, and the connector's own settings
/// hold: its instructions, most tokens, temperature and so on.
public struct ConnectorResponder: Responder {
  private let responder: ChatResponder

  /// A responder that asks that connector.
  ///
  /// - Parameters:
  ///   - systemPrompt: the rules for the model, below the connector's own; none if empty.
  ///   - runner: asks it.
  ///   - maximumHistory: how many entries of the conversation are sent along.
  ///   - tools: what the model may call, where the service has that (`Connector.takesTools`).
  public init(
    _ connector: Connector, systemPrompt: String = ChatResponder.spokenAnswers,
    runner: ActionRunner = ActionRunner(), maximumHistory: Int = 20,
    tools: [ChatResponder.Tool] = []
  ) {
    responder = ChatResponder(
      runner.chat(with: connector), systemPrompt: systemPrompt, maximumHistory: maximumHistory,
      tools: connector.takesTools ? tools : [])
  }

  /// What the service answers.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    responder.reply(to: turn, in: history)
  }
}

import SpeechActions
import SpeechCloud
import SpeechConversation

/// Answers with a connector in a voice loop, so that any configured service can hold a
/// conversation.
///
/// ```swift
/// let responder = ConnectorResponder(try configuration.connector("work"))
/// ```
/// Earlier turns are sent as messages, as far as the user heard them. The connector's own settings
/// apply, such as its instructions and the maximum number of output tokens.
public struct ConnectorResponder: Responder {
  private let responder: ChatResponder

  /// Creates a responder for a connector.
  ///
  /// - Parameters:
  ///   - systemPrompt: The system prompt, which follows the connector's instructions; none if
  ///     empty.
  ///   - runner: Sends the requests.
  ///   - maximumHistory: The maximum number of earlier turns that are sent.
  ///   - tools: The functions that the model may call, if the service supports that
  ///     (`Connector.takesTools`).
  public init(
    _ connector: Connector, systemPrompt: String = ChatResponder.spokenAnswers,
    runner: ActionRunner = ActionRunner(), maximumHistory: Int = 20,
    tools: [ChatResponder.Tool] = []
  ) {
    responder = ChatResponder(
      runner.chat(with: connector), systemPrompt: systemPrompt, maximumHistory: maximumHistory,
      tools: connector.takesTools ? tools : [])
  }

  /// Returns the service's answer to a turn.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    responder.reply(to: turn, in: history)
  }
}

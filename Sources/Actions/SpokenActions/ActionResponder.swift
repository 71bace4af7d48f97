import SpeechActions
import SpeechConversation

/// Answers with an action in a voice loop: the user's words are the text, and the answer is spoken
/// while it arrives.
///
/// With the built-in translation this is an interpreter, which listens in one language and answers
/// in another:
///
/// ```swift
/// let interpreter = ActionResponder(
///   .translate, connectors: [gateway], from: LanguageName("en"), to: LanguageName("es"))
/// let configuration = VoiceLoopConfiguration(voice: "es")
/// ```
/// The action's rule chooses the connectors, with limits of time and cost. An answer is spoken
/// sentence by sentence if its connector is known from the first token: with one connector after
/// another, with hedging, and with parallel answers, where it is the first connector of the rule.
/// With `firstSuccess`, and for answers as data, the complete answer is spoken. The reply fails if
/// a connector fails while its answer is spoken.
public struct ActionResponder: Responder {
  /// Returns the action's input for a turn.
  public typealias Input =
    @Sendable (UserTurn, ConversationHistory) async throws -> ActionInput

  private let action: TextAction
  private let connectors: [Connector]
  private let runner: ActionRunner
  private let input: Input

  /// Creates a responder that runs the action on an input of its own for each turn.
  ///
  /// - Parameters:
  ///   - connectors: All configured connectors, among which the action's rule chooses.
  ///   - runner: Runs the action. Responders with the same runner share health, cached answers and
  ///     spending caps.
  public init(
    _ action: TextAction, connectors: [Connector], runner: ActionRunner = ActionRunner(),
    input: @escaping Input
  ) {
    self.action = action
    self.connectors = connectors
    self.runner = runner
    self.input = input
  }

  /// Creates a responder that runs the action on the words of each turn.
  ///
  /// - Parameters:
  ///   - source: The language of the user.
  ///   - target: The language of the answer; the action's default if `nil`.
  public init(
    _ action: TextAction, connectors: [Connector], runner: ActionRunner = ActionRunner(),
    from source: LanguageName? = nil, to target: LanguageName? = nil
  ) {
    self.init(action, connectors: connectors, runner: runner) { turn, _ in
      ActionInput(turn.text, sourceLanguage: source?.name, targetLanguage: target?.name)
    }
  }

  /// Returns the action's answer to a turn.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .pieces { pieces in
      let input = try await input(turn, history)
      try await runner.speak(action, on: input, connectors: connectors) { pieces.yield(.text($0)) }
    }
  }
}

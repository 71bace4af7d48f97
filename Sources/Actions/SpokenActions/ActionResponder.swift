import SpeechActions
import SpeechConversation

/// Has an action answer in a voice loop: what the user says is its text, and its answer is spoken as it comes.
///
/// With the ready-made translation this is an interpreter, which hears one language and answers in another:
///
/// ```swift
/// let interpreter = ActionResponder(
///   .translate, connectors: [gateway], from: LanguageName("en"), to: LanguageName("es"))
/// let configuration = VoiceLoopConfiguration(voice: "es")
/// ```
/// Who is asked, how long and for how much is the action's own rule. An answer is spoken sentence by sentence
/// where it is clear from its first word whose it is: with one connector after another, with hedging, and of
/// parallel answers that of the first connector of the rule. Of first successes the one that counts is spoken
/// when it is complete, and so is what comes as data. Whoever fails in the middle of what is being said, fails
/// the reply.
public struct ActionResponder: Responder {
  /// Makes of what was said what the action is run on.
  public typealias Input =
    @Sendable (UserTurn, ConversationHistory) async throws -> ActionInput

  private let action: TextAction
  private let connectors: [Connector]
  private let runner: ActionRunner
  private let input: Input

  /// A responder that runs the action on what the closure makes of each turn.
  ///
  /// - Parameters:
  ///   - connectors: all that are configured; the action's rule chooses among them.
  ///   - runner: runs it; give the same to all that share health, kept answers and spending caps.
  public init(
    _ action: TextAction, connectors: [Connector], runner: ActionRunner = ActionRunner(),
    input: @escaping Input
  ) {
    self.action = action
    self.connectors = connectors
    self.runner = runner
    self.input = input
  }

  /// A responder that runs the action on the words of each turn.
  ///
  /// - Parameters:
  ///   - source: the language that is heard.
  ///   - target: the language that is answered in; `nil` for what the action says.
  public init(
    _ action: TextAction, connectors: [Connector], runner: ActionRunner = ActionRunner(),
    from source: LanguageName? = nil, to target: LanguageName? = nil
  ) {
    self.init(action, connectors: connectors, runner: runner) { turn, _ in
      ActionInput(turn.text, sourceLanguage: source?.name, targetLanguage: target?.name)
    }
  }

  /// What the action answers.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .pieces { pieces in
      let input = try await input(turn, history)
      try await SpokenRun(action, on: input, connectors: connectors, runner: runner)
        .speak { pieces.yield(.text($0)) }
    }
  }
}

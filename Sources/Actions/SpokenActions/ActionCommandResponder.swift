import SpeechActions
import SpeechConversation

/// Does in a voice loop what is said of a text: “translate that to Spanish” over the last selection.
///
/// ```swift
/// let desktop = DesktopText()
/// let responder = ActionCommandResponder(
///   try ActionCommands(configuration.actions), connectors: configuration.connectors,
///   text: { try await desktop.selection() }, copy: { try await desktop.copy($0) },
///   replace: { try await desktop.put($0) })
/// ```
public struct ActionCommandResponder: Responder {
  private let commands: ActionCommands
  private let connectors: [Connector]
  private let runner: ActionRunner
  private let otherwise: (any Responder)?
  private let text: @Sendable () async throws -> String
  private let copy: @Sendable (String) async throws -> Void
  private let replace: @Sendable (String) async throws -> Void

  /// A responder for those commands.
  ///
  /// - Parameters:
  ///   - connectors: all that are configured; each action's rule chooses among them.
  ///   - otherwise: who is asked when what was said is no command; without one the user is told so.
  ///   - text: the text that is meant by “that”.
  ///   - copy: keeps an answer for later.
  ///   - replace: puts an answer in the place of the text.
  public init(
    _ commands: ActionCommands, connectors: [Connector], runner: ActionRunner = ActionRunner(),
    otherwise: (any Responder)? = nil, text: @escaping @Sendable () async throws -> String,
    copy: @escaping @Sendable (String) async throws -> Void,
    replace: @escaping @Sendable (String) async throws -> Void
  ) {
    self.commands = commands
    self.connectors = connectors
    self.runner = runner
    self.otherwise = otherwise
    self.text = text
    self.copy = copy
    self.replace = replace
  }

  /// The answer of the action that was asked for.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    // What is put somewhere cannot be taken back, so nothing is done on a guess.
    guard !turn.isEarly else { return .saying("") }
    guard let command = commands.command(in: turn.text) else {
      return otherwise?.reply(to: turn, in: history) ?? .saying("I did not understand that.")
    }
    return .pieces { pieces in
      let input = ActionInput(
        try await text(), targetLanguage: command.language?.name)
      let answer = try await SpokenRun(
        command.action, on: input, connectors: connectors, runner: runner
      )
      .speak { pieces.yield(.text($0)) }
      switch command.delivery {
      case .speak: break
      case .copy: try await copy(answer.replacement)
      case .replace: try await replace(answer.replacement)
      }
    }
  }
}

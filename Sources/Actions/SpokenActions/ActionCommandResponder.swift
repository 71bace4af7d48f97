import SpeechActions
import SpeechConversation

/// Runs actions by voice command in a voice loop, like “translate that to Spanish” for the last
/// selection.
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

  /// Creates a responder for a set of commands.
  ///
  /// - Parameters:
  ///   - connectors: All configured connectors, among which each action's rule chooses.
  ///   - otherwise: The responder for anything that is not a command; without one, the user is
  ///     notified.
  ///   - text: Returns the text that “that” refers to.
  ///   - copy: Copies an answer to the clipboard.
  ///   - replace: Replaces the text with an answer.
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

  /// Returns the answer of the requested action.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    // A delivered answer cannot be taken back, so a preliminary turn does nothing.
    guard !turn.isEarly else { return .saying("") }
    guard let command = commands.command(in: turn.text) else {
      return otherwise?.reply(to: turn, in: history) ?? .saying("I did not understand that.")
    }
    return .pieces { pieces in
      let input = ActionInput(
        try await text(), targetLanguage: command.language?.name)
      let answer = try await runner.speak(command.action, on: input, connectors: connectors) {
        pieces.yield(.text($0))
      }
      switch command.delivery {
      case .speak: break
      case .copy: try await copy(answer.replacement)
      case .replace: try await replace(answer.replacement)
      }
    }
  }
}

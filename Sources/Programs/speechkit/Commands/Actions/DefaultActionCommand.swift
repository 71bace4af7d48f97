import SpeechActions
import SpeechKit

/// `speechkit actions default`: the action that is run where none is named.
struct DefaultActionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions default",
    summary: "Show or choose the action that is run where none is named",
    discussion: ["Without ACTION, its id is written to standard output."],
    positionals: [
      PositionalDeclaration(
        name: "ACTION", count: .optional, help: "The new default, by its id or name.",
        hint: .nothing)
    ],
    examples: [
      .init("speechkit actions default", "See which it is"),
      .init("speechkit actions default correct", "Choose another"),
    ],
    exits: ActionsCommands.exits)

  private let name: String?

  init(_ arguments: ParsedArguments) throws {
    name = arguments.positionals.first
  }

  func run(on terminal: Terminal) async throws {
    guard let name else {
      guard let id = try await FileConfigurationStore().load().configuration.actions.defaultID
      else { throw ActionError.notFound("There is no active action.") }
      return try await terminal.writeLine(id)
    }
    try await ActionsCommands.update { try $0.actions.makeDefault(name) }
    await terminal.note("“\(name)” is the default now.")
  }
}

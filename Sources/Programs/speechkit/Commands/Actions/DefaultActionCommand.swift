#if Cloud
import SpeechActions
import SpeechCommand

struct DefaultActionCommand: Command {
  static let about = CommandDeclaration(
    name: "actions default",
    summary: "Show or set the default action",
    discussion: "Without ACTION, the id of the default action is written to standard output.",
    examples: [
      "speechkit actions default": "Show the default action",
      "speechkit actions default correct": "Set another one",
    ],
    exits: ActionsCommands.exits)

  @Argument("ACTION", help: "The new default, by its id or name.") var name: String?

  func run(on terminal: Terminal) async throws {
    guard let name else {
      guard let id = try await FileConfigurationStore().load().configuration.actions.defaultID
      else { throw ActionError.notFound("There is no active action.") }
      return try await terminal.writeLine(id)
    }
    try await ActionsCommands.update { try $0.actions.makeDefault(name) }
    await terminal.note("“\(name)” is now the default action.")
  }
}
#endif

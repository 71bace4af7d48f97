import SpeechActions
import SpeechKit

/// `speechkit actions show`: shows an action as it stands in the file.
struct ShowActionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions show",
    summary: "Show all there is to an action",
    discussion: ["As it stands in the file of actions, or as an object with --json."],
    positionals: [ActionsCommands.action], options: [ActionsCommands.json.declaration],
    examples: [.init("speechkit actions show translate", "Look at the ready-made translation")],
    exits: Array(ActionsCommands.exits.prefix(2)))

  private let name: String
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    name = arguments.positionals[0]
    isJSON = arguments[ActionsCommands.json]
  }

  func run(on terminal: Terminal) async throws {
    let library = try await FileConfigurationStore().load().configuration.actions
    let action = try library.action(name)
    if isJSON {
      try await terminal.writeJSON(library.record(of: action))
    } else {
      try await terminal.write(EntryText.text(of: action))
    }
  }
}

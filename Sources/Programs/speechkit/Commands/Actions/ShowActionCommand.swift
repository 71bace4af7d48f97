#if Cloud
import SpeechActions
import SpeechCommand
import SpeechKit

/// `speechkit actions show`: shows all settings of an action.
struct ShowActionCommand: Command {
  static let about = CommandDeclaration(
    name: "actions show",
    summary: "Show all settings of an action",
    discussion: """
      In the format of the configuration file, or as an object with --json.
      """,
    examples: [.init("speechkit actions show translate", "Show the built-in translation")],
    exits: Array(ActionsCommands.exits.prefix(2)))

  var action = ActionArgument()
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let library = try await FileConfigurationStore().load().configuration.actions
    let action = try library.action(action.name)
    if isJSON {
      try await terminal.writeJSON(library.record(of: action))
    } else {
      try await terminal.write(EntryText.text(of: action))
    }
  }
}
#endif

#if Cloud
import SpeechActions
import SpeechCommand

struct ShowActionCommand: Command {
  static let about = CommandDeclaration(
    name: "actions show",
    summary: "Show all settings of an action",
    discussion: "In the format of the configuration file, or as an object with --json.",
    examples: ["speechkit actions show translate": "Show the built-in translation"],
    exits: ActionsCommands.exits.filter { $0.key != .cannotCreate })

  var action = ActionArgument()
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let library = try await FileConfigurationStore().load().configuration.actions
    let action = try library.action(action.name)
    try await terminal.write(
      EntryText.text(of: action), json: library.record(of: action), isJSON: isJSON)
  }
}
#endif

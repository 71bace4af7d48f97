#if Cloud
import SpeechActions
import SpeechCommand

struct ListActionsCommand: Command {
  static let about = CommandDeclaration(
    name: "actions list",
    summary: "List the actions",
    discussion: """
      One action per line: its id, name, routing mode, connectors and attributes. With --json, an
      array of objects with all settings.
      """,
    examples: [
      "speechkit actions list": "List the actions",
      "speechkit actions list --json | jq -r '.[].id'": "Only the ids",
    ],
    exits: [.badData: ActionsCommands.badConfiguration])

  @Flag("--archived", help: "Include archived actions.") var showsArchived
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let library = try await FileConfigurationStore().load().configuration.actions
    let actions = showsArchived ? library.all : library.active
    if isJSON {
      return try await terminal.writeJSON(actions.map { library.record(of: $0) })
    }
    let rows = actions.map { action in
      var attributes: [String] = []
      if library.defaultID == action.id { attributes.append("default") }
      if action.privacy.isPrivate { attributes.append("private") }
      if action.isArchived { attributes.append("archived") }
      let connectors = action.routing.connectors
      return [
        action.id, action.name, action.routing.mode.name.rawValue,
        connectors.isEmpty ? "all" : connectors.joined(separator: ","),
        attributes.joined(separator: " "),
      ]
    }
    try await terminal.write(
      TextTable(rows, heading: ["ID", "NAME", "MODE", "CONNECTORS", ""]).text)
  }
}
#endif

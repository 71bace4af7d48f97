import SpeechActions
import SpeechKit

/// `speechkit actions list`: shows the actions.
struct ListActionsCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions list",
    summary: "List the actions",
    discussion: [
      "A line per action: id, name, how connectors are asked, which ones, and what is special. With --json an array "
        + "of objects with all there is to an action."
    ],
    options: [archived.declaration, ActionsCommands.json.declaration],
    examples: [
      .init("speechkit actions list", "See which there are"),
      .init("speechkit actions list --json | jq -r '.[].id'", "Only the ids"),
    ],
    exits: [ActionsCommands.exits[0]])

  static let archived = Flag("archived", help: "Those that are archived as well.")

  private let showsArchived: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    showsArchived = arguments[Self.archived]
    isJSON = arguments[ActionsCommands.json]
  }

  func run(on terminal: Terminal) async throws {
    let library = try await FileConfigurationStore().load().configuration.actions
    let actions = showsArchived ? library.all : library.active
    if isJSON {
      return try await terminal.writeJSON(actions.map { library.record(of: $0) })
    }
    let rows = actions.map { action in
      var marks: [String] = []
      if library.defaultID == action.id { marks.append("default") }
      if action.privacy.isPrivate { marks.append("private") }
      if action.isArchived { marks.append("archived") }
      let connectors = action.routing.connectors
      return [
        action.id, action.name, action.routing.mode.name.rawValue,
        connectors.isEmpty ? "all" : connectors.joined(separator: ","),
        marks.joined(separator: " "),
      ]
    }
    try await terminal.write(TextTable(rows, heading: ["ID", "NAME", "MODE", "ASKS", ""]).text)
  }
}

import SpeechActions
import SpeechKit

/// `speechkit actions edit`: changes an action.
struct EditActionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions edit",
    summary: "Change an action",
    discussion: [
      "With options, or in $EDITOR where none is given. What has a fault is refused with its line, and kept in a file "
        + "of its own. What others changed meanwhile is kept; where both changed the same, nothing is stored."
    ],
    positionals: [ActionsCommands.action],
    options: ActionOptions.declarations + [ActionOptions.unset.declaration],
    examples: [
      .init("speechkit actions edit translate", "Change it in $EDITOR"),
      .init(
        "speechkit actions edit translate --mode hedged --hedge-after 800ms",
        "Ask the next connector when the first is late"),
      .init("speechkit actions edit tone --privacy this-machine", "Let no text leave this machine"),
    ],
    exits: ActionsCommands.exits)

  private let name: String
  private let options: ActionOptions

  init(_ arguments: ParsedArguments) throws {
    name = arguments.positionals[0]
    options = try ActionOptions(arguments)
  }

  func run(on terminal: Terminal) async throws {
    let store = try FileConfigurationStore()
    let snapshot = try await store.load()
    let action = try snapshot.configuration.actions.action(name)
    guard options.isEmpty else {
      let change = try await options.change()
      let id = action.id
      try await ActionsCommands.update { try $0.actions.edit(id, change) }
      await terminal.note("The action “\(id)” is changed.")
      return
    }
    let edited = try await EntryEditor().edit(
      try EntryText.text(of: action), named: action.id, on: terminal
    ) { text in
      var configuration = snapshot.configuration
      let new = try EntryText.action(in: text, connectors: configuration.connectors)
      try configuration.actions.edit(action.id) { $0 = new }
      try await store.save(configuration, basedOn: snapshot)
      return new
    }
    guard let edited else { return await terminal.note("Nothing was changed.") }
    await terminal.note("The action “\(edited.id)” is changed.")
  }
}

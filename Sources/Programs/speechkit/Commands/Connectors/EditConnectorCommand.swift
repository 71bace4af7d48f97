#if Cloud
import SpeechActions
import SpeechCommand

struct EditConnectorCommand: Command {
  static let about = CommandDeclaration(
    name: "connectors edit",
    summary: "Change a connector",
    discussion: """
      Uses the options, or $EDITOR if none is given. Text with an error is refused with its line,
      and kept in a file. So is text that was edited while another program changed the
      configuration.
      """,
    examples: [
      "speechkit connectors edit work": "Change it in $EDITOR",
      "speechkit connectors edit work --active off": "Disable it",
      "speechkit connectors edit work --price-in 0.2 --price-out 0.8": "Set its prices",
    ],
    exits: ActionsCommands.exits)

  var connector = ConnectorArgument()
  var options = FieldOptions<Connector>(removes: true)

  func run(on terminal: Terminal) async throws {
    let store = try FileConfigurationStore()
    let snapshot = try await store.load()
    let present = try snapshot.configuration.connector(connector.name)
    guard !options.isGiven else {
      let options = options
      let configuration = try await ActionsCommands.update { configuration in
        for index in configuration.connectors.indices
        where configuration.connectors[index].id == present.id {
          try options.apply(to: &configuration.connectors[index])
        }
      }
      await ConnectorsCommands.noteKeyWarning(
        of: try configuration.connector(present.id), on: terminal)
      return await terminal.note("Changed the connector “\(present.id)”.")
    }
    try await EntryEditor.edit(
      "connector", present.id, as: try EntryText.text(of: present), in: snapshot, of: store,
      on: terminal
    ) { text, configuration in
      let new = try EntryText.connector(in: text)
      configuration.connectors = configuration.connectors.map { $0.id == present.id ? new : $0 }
      return new.id
    }
  }
}
#endif

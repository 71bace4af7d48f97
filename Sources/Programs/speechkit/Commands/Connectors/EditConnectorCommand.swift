import SpeechActions
import SpeechKit

/// `speechkit connectors edit`: changes a connector.
struct EditConnectorCommand: Command {
  static let declaration = CommandDeclaration(
    name: "connectors edit",
    summary: "Change a service that answers",
    discussion: [
      "With options, or in $EDITOR where none is given. What has a fault is refused with its line, and kept in a file "
        + "of its own."
    ],
    positionals: [ConnectorsCommands.connector],
    options: FieldOptions<Connector>.declarations + [FieldOptions<Connector>.unset.declaration],
    examples: [
      .init("speechkit connectors edit work", "Change it in $EDITOR"),
      .init("speechkit connectors edit work --active off", "Do not ask it for a while"),
      .init("speechkit connectors edit work --price-in 0.2 --price-out 0.8", "Say what it costs"),
    ],
    exits: ActionsCommands.exits)

  private let name: String
  private let options: FieldOptions<Connector>

  init(_ arguments: ParsedArguments) throws {
    name = arguments.positionals[0]
    options = FieldOptions(arguments)
  }

  func run(on terminal: Terminal) async throws {
    let store = try FileConfigurationStore()
    let snapshot = try await store.load()
    let connector = try snapshot.configuration.connector(name)
    guard options.isEmpty else {
      let (id, options) = (connector.id, options)
      try await ActionsCommands.update { configuration in
        let id = try configuration.connector(id).id
        for index in configuration.connectors.indices where configuration.connectors[index].id == id
        {
          try options.apply(to: &configuration.connectors[index])
        }
      }
      await terminal.note("The connector “\(id)” is changed.")
      return
    }
    let edited = try await EntryEditor().edit(
      try EntryText.text(of: connector), named: connector.id, on: terminal
    ) { text in
      let new = try EntryText.connector(in: text)
      var configuration = snapshot.configuration
      configuration.connectors = configuration.connectors.map {
        $0.id == connector.id ? new : $0
      }
      try await store.save(configuration, basedOn: snapshot)
      return new
    }
    guard let edited else { return await terminal.note("Nothing was changed.") }
    await terminal.note("The connector “\(edited.id)” is changed.")
  }
}

#if Cloud
import SpeechCommand

struct RemoveConnectorCommand: Command {
  static let about = CommandDeclaration(
    name: "connectors remove",
    summary: "Remove a connector",
    discussion: """
      Refused while an action names the connector, unless --force removes it from these actions too.
      The key remains stored; `speechkit credentials remove` removes it.
      """,
    examples: ["speechkit connectors remove work": "Remove a connector"],
    exits: ActionsCommands.exits)

  var connector = ConnectorArgument()
  @Flag("--force", help: "Remove it from the actions that name it.") var isForced

  func run(on terminal: Terminal) async throws {
    let (name, isForced) = (connector.name, isForced)
    try await ActionsCommands.update { configuration in
      let id = try configuration.connector(name).id
      let users = configuration.actions.all.filter { $0.routing.connectors.contains(id) }
      guard users.isEmpty || isForced else {
        throw CommandFailure(
          .badData,
          "“\(id)” is named by \(users.map(\.id).joined(separator: ", ")). Change these actions "
            + "first, or pass --force.")
      }
      for user in users {
        guard user.routing.connectors != [id] else {
          // Without connectors of its own the action would ask all others.
          throw CommandFailure(
            .badData,
            "“\(id)” is the only connector of “\(user.id)”. Add another connector to that action "
              + "first.")
        }
        try configuration.actions.edit(user.id) { $0.routing.connectors.removeAll { $0 == id } }
      }
      configuration.connectors.removeAll { $0.id == id }
    }
    await terminal.note("Removed the connector “\(name)”.")
  }
}
#endif

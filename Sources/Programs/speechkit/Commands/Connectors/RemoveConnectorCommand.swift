import SpeechKit

/// `speechkit connectors remove`: forgets a connector.
struct RemoveConnectorCommand: Command {
  static let declaration = CommandDeclaration(
    name: "connectors remove",
    summary: "Forget a service",
    discussion: [
      "Refused as long as an action names it, unless --force takes it out of these actions as well. Its key is kept; "
        + "`speechkit credentials remove` removes it."
    ],
    positionals: [ConnectorsCommands.connector], options: [force.declaration],
    examples: [.init("speechkit connectors remove work", "Forget it")],
    exits: ActionsCommands.exits)

  static let force = Flag("force", help: "Take it out of the actions that name it as well.")

  private let name: String
  private let isForced: Bool

  init(_ arguments: ParsedArguments) throws {
    name = arguments.positionals[0]
    isForced = arguments[Self.force]
  }

  func run(on terminal: Terminal) async throws {
    let (name, isForced) = (name, isForced)
    try await ActionsCommands.update { configuration in
      let id = try configuration.connector(name).id
      let users = configuration.actions.all.filter { $0.routing.connectors.contains(id) }
      guard users.isEmpty || isForced else {
        throw CommandFailure(
          .badData,
          "“\(id)” is named by \(users.map(\.id).joined(separator: ", ")). Change these first, or pass --force."
        )
      }
      for user in users {
        guard user.routing.connectors != [id] else {
          // Without any it would ask all the others, which nobody said.
          throw CommandFailure(
            .badData, "“\(user.id)” asks nobody but “\(id)”. Name another connector there first.")
        }
        try configuration.actions.edit(user.id) { $0.routing.connectors.removeAll { $0 == id } }
      }
      configuration.connectors.removeAll { $0.id == id }
    }
    await terminal.note("The connector “\(name)” is removed.")
  }
}

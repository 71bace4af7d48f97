#if Cloud
import SpeechActions
import SpeechCommand

struct AddConnectorCommand: Command {
  static let about = CommandDeclaration(
    name: "connectors add",
    summary: "Add a connector",
    discussion: """
      The command sends no request; `speechkit connectors test` does. Keys are stored with
      `speechkit credentials set`; a connector has only the name of its key.
      """,
    examples: [
      "speechkit connectors add here --base-url http://127.0.0.1:11434/v1 --model llama3.2":
        "A model server on this machine",
      "speechkit connectors add claude --kind anthropic --key-from anthropic": "Anthropic",
      "speechkit connectors add az --deployment gpt --base-url https://me.openai.azure.com "
        + "--key-from azure": "An Azure deployment",
    ],
    exits: ActionsCommands.exits)

  @Argument("NAME", help: "The name in commands, like “work”.") var id: String
  var options = FieldOptions<Connector>()

  func validate() throws {
    guard options.isGiven else {
      throw UsageError("Describe the connector: --base-url URL, --kind KIND, --model MODEL, …")
    }
  }

  func run(on terminal: Terminal) async throws {
    var connector = Connector(id: id)
    try options.apply(to: &connector)
    let new = connector
    try await ActionsCommands.update { configuration in
      guard !configuration.connectors.contains(where: { $0.id == new.id }) else {
        throw ActionError.invalidName(
          "There is already a connector “\(new.id)”. Choose another name, or change it with "
            + "`speechkit connectors edit`.")
      }
      configuration.connectors.append(new)
    }
    await terminal.note("Added the connector “\(id)”. Test it: speechkit connectors test \(id)")
    await terminal.note(ConnectorsCommands.privacyNote(connector))
    await ConnectorsCommands.noteKeyWarning(of: connector, on: terminal)
  }
}
#endif

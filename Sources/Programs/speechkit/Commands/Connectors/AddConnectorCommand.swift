import SpeechActions
import SpeechKit

/// `speechkit connectors add`: makes a connector.
struct AddConnectorCommand: Command {
  static let declaration = CommandDeclaration(
    name: "connectors add",
    summary: "Add a service that answers",
    discussion: [
      "Nothing is asked yet; `speechkit connectors test` does. A key is never given here, only the name that it is "
        + "kept under."
    ],
    positionals: [
      PositionalDeclaration(
        name: "NAME", count: .required, help: "What it is called in commands, like “work”.",
        hint: .nothing)
    ],
    options: FieldOptions<Connector>.declarations,
    examples: [
      .init(
        "speechkit connectors add here --base-url http://127.0.0.1:11434/v1 --model llama3.2",
        "A model server on this machine"),
      .init("speechkit connectors add claude --kind anthropic --key-from anthropic", "Anthropic"),
      .init(
        "speechkit connectors add az --deployment gpt --base-url https://me.openai.azure.com --key-from azure",
        "A deployment of Azure"),
    ],
    exits: ActionsCommands.exits)

  private let id: String
  private let options: FieldOptions<Connector>

  init(_ arguments: ParsedArguments) throws {
    id = arguments.positionals[0]
    options = FieldOptions(arguments)
    guard !options.isEmpty else {
      throw UsageError("Say what it is: --base-url URL, --kind KIND, --model MODEL, …")
    }
  }

  func run(on terminal: Terminal) async throws {
    var connector = Connector(id: id)
    try options.apply(to: &connector)
    try await Self.add(connector)
    await terminal.note("The connector “\(id)” is there. Test it: speechkit connectors test \(id)")
    await terminal.note(ConnectorsCommands.privacyNote(connector))
  }

  /// - Throws: `ActionError`.
  static func add(_ connector: Connector) async throws {
    try await ActionsCommands.update { configuration in
      guard !configuration.connectors.contains(where: { $0.id == connector.id }) else {
        throw ActionError.invalidName(
          "There is a connector “\(connector.id)” already. Choose another name, or change it with "
            + "`speechkit connectors edit`.")
      }
      configuration.connectors.append(connector)
    }
  }
}

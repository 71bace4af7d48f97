#if Cloud
import Foundation
import SpeechActions
import SpeechCommand

enum ConnectorsCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "connectors",
      summary: "Configure the services that actions use",
      discussion: """
        A connector is a service with its address, model and key: an OpenAI-compatible server,
        Azure, Anthropic, an LLM socket, or a model server on this machine. Actions send their texts
        to it.

        Keys are stored with `speechkit credentials set`; a connector has only the name of its key.
        """,
      examples: [
        "speechkit connectors add work --base-url https://llm.example.org/v1 --model large "
          + "--key-from work": "A gateway with a key",
        "speechkit connectors test work": "Test it",
      ]),
    [
      .command(ListConnectorsCommand.self), .command(AddConnectorCommand.self),
      .command(EditConnectorCommand.self), .command(RemoveConnectorCommand.self),
      .command(TestConnectorCommand.self),
    ])

  /// Notes a key that would be sent without encryption.
  static func noteKeyWarning(of connector: Connector, on terminal: Terminal) async {
    if let warning = connector.keyWarning { await terminal.note(warning) }
  }

  /// A note on where the connector sends texts.
  static func privacyNote(_ connector: Connector) -> String {
    switch connector.kind {
    case .onDevice:
      "The connector uses a model server on this machine if one runs. Texts stay on this machine."
    case .openAICompatible, .azure, .anthropic, .llmSocket:
      "Actions send their texts to \(host(of: connector)). To keep texts on this machine, set "
        + "--privacy this-machine for the action."
    }
  }

  private static func host(of connector: Connector) -> String {
    if let host = URL(string: connector.baseURL)?.host(), !host.isEmpty { return host }
    return switch connector.kind {
    case .anthropic: "api.anthropic.com"
    case .openAICompatible: "api.openai.com"
    case .azure, .llmSocket, .onDevice: "the service"
    }
  }
}

struct ConnectorArgument: OptionGroup {
  @Argument("CONNECTOR", help: "The connector, by its id or name.") var name: String
}
#endif

import SpeechActions
import SpeechKit

/// `speechkit connectors`: the services that answer.
enum ConnectorsCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "connectors",
      summary: "Configure the services that actions ask",
      discussion: [
        "A connector is a service with its address, model and key: any server that speaks as OpenAI's does, Azure, "
          + "Anthropic, the LLM socket, or what runs on this machine. Texts of actions are sent to it, wherever it is.",
        "The key is kept with `speechkit credentials set`; a connector only knows the name it is kept under.",
      ],
      examples: [
        .init(
          "speechkit connectors add work --base-url https://llm.example.org/v1 --model large --key-from work",
          "A gateway with a key"),
        .init("speechkit connectors test work", "See whether it answers"),
      ]),
    [
      .command(ListConnectorsCommand.self), .command(AddConnectorCommand.self),
      .command(EditConnectorCommand.self), .command(RemoveConnectorCommand.self),
      .command(TestConnectorCommand.self),
    ])

  /// The argument that most of them take.
  static let connector = PositionalDeclaration(
    name: "CONNECTOR", count: .required, help: "The connector, by its id or name.", hint: .nothing)

  /// What a person ought to know before texts are sent there.
  static func privacyNote(_ connector: Connector) -> String {
    switch connector.kind {
    case .onDevice: "It asks a model server on this machine if one runs; texts stay here."
    case .openAICompatible, .azure, .anthropic, .llmSocket:
      "Texts of actions that ask it are sent to \(host(of: connector)). For texts that must not leave this machine "
        + "there is --privacy this-machine of an action."
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

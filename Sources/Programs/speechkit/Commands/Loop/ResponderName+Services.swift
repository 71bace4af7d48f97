#if Cloud
import AIServices
import SpeechActions
import SpeechCloud
import SpeechCommand
import SpeechDesktop
import SpeechKit
import SpokenActions

extension ResponderName {
  /// The responder that calls a service; `nil` if there is none of that kind.
  static func service(_ kind: String, _ rest: String?) throws(UsageError) -> ResponderName? {
    switch (kind, rest) {
    case ("local", nil):
      talking(with: Connector(id: kind, name: "On-device text", kind: .onDevice))
    case ("openai", let model):
      talking(
        with: Connector(
          id: kind, name: "OpenAI", model: model ?? OpenAIConfiguration().chatModel), model)
    case ("anthropic", let model):
      talking(
        with: Connector(id: kind, name: "Anthropic", kind: .anthropic, model: model ?? ""), model)
    case ("socket", let address?): try socket(address)
    case ("connector", let name?):
      ResponderName(text: "connector:\(name)") { conversation in
        let configuration = try await FileConfigurationStore().load().configuration
        return responder(try configuration.connector(name), conversation, .user)
      }
    case ("action", let name?): action(name)
    case ("actions", nil): actions
    default: nil
    }
  }

  private static func responder(
    _ connector: Connector, _ conversation: Conversation, _ runner: ActionRunner = ActionRunner()
  ) -> any Responder {
    ConnectorResponder(
      connector, systemPrompt: conversation.systemPrompt ?? ChatResponder.spokenAnswers,
      runner: runner)
  }

  private static func talking(with connector: Connector, _ rest: String? = nil) -> ResponderName {
    ResponderName(text: connector.id + (rest.map { ":\($0)" } ?? "")) {
      responder(connector, $0)
    }
  }

  private static func socket(_ address: String) throws(UsageError) -> ResponderName {
    guard let url = URL(string: address), url.host() != nil,
      ["ws", "wss", "http", "https"].contains(url.scheme)
    else { throw UsageError("--responder socket: takes an address like ws://host:4000/socket") }
    return talking(
      with: Connector(
        id: "socket", name: "LLM Socket", kind: .llmSocket, baseURL: url.absoluteString),
      "\(url.withoutSecrets)")
  }

  /// An action on what is said.
  private static func action(_ name: String) -> ResponderName {
    ResponderName(text: "action:\(name)", hasLanguage: true) { conversation in
      let configuration = try await FileConfigurationStore().load().configuration
      return ActionResponder(
        try configuration.actions.action(name), connectors: configuration.connectors,
        runner: .user, from: LanguageName(conversation.source),
        to: conversation.target.map { LanguageName($0) })
    }
  }

  /// The user's actions, as commands for the selection.
  private static var actions: ResponderName {
    ResponderName(
      text: "actions",
      grammar: {
        let library = try await FileConfigurationStore().load().configuration.actions
        return try ActionCommands(library).grammar.jsgfText()
      },
      makeResponder: { _ in
        let configuration = try await FileConfigurationStore().load().configuration
        let desktop = DesktopText()
        return ActionCommandResponder(
          try ActionCommands(configuration.actions), connectors: configuration.connectors,
          runner: .user, text: { try await desktop.selection() },
          copy: { try await desktop.copy($0) }, replace: { try await desktop.put($0) })
      })
  }
}
#endif

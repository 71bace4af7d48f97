#if Cloud
import AIServices
import Foundation
import SpeechActions
import SpeechCloud
import SpeechCommand
import SpeechDesktop
import SpeechKit
import SpokenActions

/// A responder that calls services, as the command line names it.
enum ServiceResponderName: Sendable, Equatable {
  case local
  case openAI(model: String?)
  case anthropic(model: String?)
  case socket(URL)
  /// An action on what is said.
  case action(String)
  /// A connector to talk with.
  case connector(String)
  /// The actions, as commands for the selection.
  case actions

  /// - Throws: `UsageError`.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let rest = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
    switch (parts.first, rest) {
    case ("local", nil): self = .local
    case ("openai", let model): self = .openAI(model: model)
    case ("anthropic", let model): self = .anthropic(model: model)
    case ("action", let name?): self = .action(name)
    case ("connector", let name?): self = .connector(name)
    case ("actions", nil): self = .actions
    case ("socket", let address?):
      guard let url = URL(string: address), url.host() != nil,
        ["ws", "wss", "http", "https"].contains(url.scheme)
      else { throw UsageError("--responder socket: takes an address like ws://host:4000/socket") }
      self = .socket(url)
    default:
      throw UsageError(
        "--responder takes echo, local, openai[:MODEL], anthropic[:MODEL], connector:NAME, "
          + "action:NAME, actions, socket:URL or script:FILE, not “\(text)”")
    }
  }

  /// The name by which it can be chosen again, without secrets of an address.
  var text: String {
    switch self {
    case .local: "local"
    case .openAI(let model): (["openai"] + [model].compactMap(\.self)).joined(separator: ":")
    case .anthropic(let model): (["anthropic"] + [model].compactMap(\.self)).joined(separator: ":")
    case .socket(let url): "socket:\(url.withoutSecrets)"
    case .action(let name): "action:\(name)"
    case .connector(let name): "connector:\(name)"
    case .actions: "actions"
    }
  }

  /// Creates the responder.
  ///
  /// - Throws: `ActionError`.
  func makeResponder(
    systemPrompt: String?, from source: String, to target: String?
  ) async throws -> any Responder {
    func talk(
      with connector: Connector, runner: ActionRunner = ActionRunner()
    ) -> any Responder {
      ConnectorResponder(
        connector, systemPrompt: systemPrompt ?? ChatResponder.spokenAnswers, runner: runner)
    }
    switch self {
    case .local: return talk(with: Connector(id: "local", name: "On-device text", kind: .onDevice))
    case .openAI(let model):
      return talk(
        with: Connector(
          id: "openai", name: "OpenAI", model: model ?? OpenAIConfiguration().chatModel))
    case .anthropic(let model):
      return talk(
        with: Connector(id: "anthropic", name: "Anthropic", kind: .anthropic, model: model ?? ""))
    case .socket(let url):
      return talk(
        with: Connector(
          id: "socket", name: "LLM Socket", kind: .llmSocket, baseURL: url.absoluteString))
    case .connector(let name):
      let configuration = try await FileConfigurationStore().load().configuration
      return talk(with: try configuration.connector(name), runner: .user)
    case .action(let name):
      let configuration = try await FileConfigurationStore().load().configuration
      return ActionResponder(
        try configuration.actions.action(name), connectors: configuration.connectors,
        runner: .user, from: LanguageName(source), to: target.map { LanguageName($0) })
    case .actions:
      let configuration = try await FileConfigurationStore().load().configuration
      let desktop = DesktopText()
      return ActionCommandResponder(
        try ActionCommands(configuration.actions), connectors: configuration.connectors,
        runner: .user, text: { try await desktop.selection() },
        copy: { try await desktop.copy($0) }, replace: { try await desktop.put($0) })
    }
  }

  /// The grammar of the user's actions.
  static func actionGrammar() async throws -> String {
    let library = try await FileConfigurationStore().load().configuration.actions
    return try ActionCommands(library).grammar.jsgfText()
  }
}
#endif

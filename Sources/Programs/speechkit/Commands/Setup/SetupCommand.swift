#if Cloud
import AIServices
import Foundation
import SpeechActions
import SpeechCommand
import SpeechDesktop
import SpokenActions

struct SetupCommand: Command {
  static let about = CommandDeclaration(
    name: "setup",
    summary: "Set up the first service, action and hot key, step by step",
    discussion: """
      Adds and tests a service, sets the default action, and prints commands that make a hot key of
      the desktop run it on the selection. You can repeat it at any time; existing settings are kept
      unless you change them. An empty answer means the default in brackets. Answers may come from a
      pipe, one per line.

      For scripts: with --yes all defaults are assumed, and options change them. With --hot-key only
      the commands for that desktop are printed.
      """,
    examples: [
      "speechkit setup": "Answer questions",
      "speechkit setup --yes --connector here --base-url http://127.0.0.1:11434/v1 --to Spanish":
        "The same from a script",
      "speechkit setup --hot-key gnome --keys Super+T | sh": "Only the hot key",
    ],
    exits: [
      .badData: "A value or the configuration file has an error.",
      .noInput: "The answers ended too early.",
      .unavailable: "The service does not work, with --yes; it is not added.",
      .cannotCreate: "The file cannot be written.",
    ])

  var options = FieldOptions<Connector>(
    only: ["kind", "url", "model", "credential", "deployment", "api-version"])
  @Option("--connector", "-c", as: .text("NAME"), help: "The name of the service in commands.")
  var connectorName: String?
  @Option("--action", "-a", as: .text("ACTION"), help: "The default action.")
  var actionName: String?
  @Option("--to", as: .text("LANG"), help: "The target language for translations.")
  var language: String?
  @Flag("--no-test", help: "Do not test the service.") var skipsTest
  @Flag("--yes", "-y", help: "Assume the defaults instead of asking.") var assumesDefaults
  @Option(
    "--hot-key", as: .choice("DESKTOP"), help: "Print the commands for a hot key of a desktop.")
  var desktop: HotKey.Desktop?
  @Option("--keys", as: .hotKey, help: "The hot key, like Super+T or Ctrl+Alt+F9.")
  var keys: HotKey?

  func run(on terminal: Terminal) async throws {
    let configuration = try await FileConfigurationStore().load().configuration
    if let desktop {
      let action = try configuration.actions.action(actionName)
      return try await terminal.write(snippet(for: desktop, keys, action))
    }
    let questions = Questionnaire(terminal: terminal, assumesDefaults: assumesDefaults)
    await terminal.note("1. A service")
    try await setUpConnector(questions, terminal, configuration)
    await terminal.note("\n2. The default action")
    let action = try await setUpAction(questions, terminal)
    await terminal.note("\n3. A hot key")
    try await setUpHotKey(questions, terminal, action)
    await terminal.note("\nDone. Try: speechkit run \(action.id) \"some text\"")
  }

  // MARK: The connector

  private func setUpConnector(
    _ questions: Questionnaire, _ terminal: Terminal, _ configuration: ActionConfiguration
  ) async throws {
    let present = configuration.connectors.filter(\.isActive)
    if !options.isGiven, connectorName == nil, !present.isEmpty {
      await terminal.note("Existing connectors: \(present.map(\.id).joined(separator: ", ")).")
      if assumesDefaults { return }
      guard try await questions.confirm("Add another one?", default: false) else { return }
    }
    while true {
      let connector = try await askForConnector(questions, configuration)
      await terminal.note(ConnectorsCommands.privacyNote(connector))
      if let name = connector.credential { try await setUpKey(name, terminal) }
      if try await isWanted(connector, questions, terminal) {
        // A connector of the same name is replaced.
        try await ActionsCommands.update { configuration in
          configuration.connectors.removeAll { $0.id == connector.id }
          configuration.connectors.append(connector)
        }
        await terminal.note("Saved the connector “\(connector.id)”.")
        return
      }
      // The same defaults would be tried for ever.
      if await questions.hasEnded { throw Questionnaire.hasEndedEarly }
    }
  }

  private func askForConnector(
    _ questions: Questionnaire, _ configuration: ActionConfiguration
  ) async throws -> Connector {
    var connector = Connector(id: connectorName ?? "")
    if options.isGiven || assumesDefaults {
      if !options.isGiven { connector.kind = .onDevice }
      try options.apply(to: &connector)
      if connector.id.isEmpty {
        connector.id = configuration.freeConnectorID(for: connector.kind.name.rawValue)
        connector.name = connector.id
      }
      return connector
    }
    let word = try await questions.choose(
      "Which service?",
      among: [
        ("here", "a model server on this machine, such as Ollama or llama.cpp"),
        ("openai", "OpenAI"), ("anthropic", "Anthropic"),
        ("server", "another OpenAI-compatible server"), ("azure", "Azure OpenAI"),
        ("offline", "no server: simple built-in answers, to try things out"),
      ], default: "here")
    switch word {
    case "openai", "anthropic":
      connector.kind = word == "openai" ? .openAICompatible : .anthropic
      connector.vendor = word == "openai" ? "OpenAI" : "Anthropic"
      connector.credential = word
      connector.model = try await questions.ask("Model (empty for the default)?")
    case "azure":
      connector.vendor = "Azure"
      connector.baseURL = try await questions.ask(
        "Address, like https://NAME.openai.azure.com?", default: nil)
      connector.kind = .azure(
        deployment: try await questions.ask("Deployment?", default: nil),
        apiVersion: try await questions.ask("API version (empty for the newest)?"))
      connector.credential = try await questions.ask(
        "Name of the stored key?", default: "azure")
    case "offline": connector.kind = .onDevice
    default:
      connector.baseURL = try await questions.ask(
        "Address?", default: word == "here" ? "http://127.0.0.1:11434/v1" : nil)
      connector.model = try await questions.ask("Model (empty for the server's default)?")
      if word == "server" {
        let name = try await questions.ask("Name of the stored key (empty for none)?")
        connector.credential = name.isEmpty ? nil : name
      }
    }
    connector.id = try await questions.ask(
      "Name of the service in commands?",
      default: connectorName ?? configuration.freeConnectorID(for: word))
    connector.name = connector.id
    return connector
  }

  private func setUpKey(_ name: String, _ terminal: Terminal) async throws {
    let inventory = await AICredentialManager.shared.inventory(of: name)
    guard !inventory.items.contains(where: { $0.isUsed }) else { return }
    guard Questionnaire.isPerson, !assumesDefaults else {
      return await terminal.note(
        "There is no key “\(name)”. Store it: speechkit credentials set \(name)")
    }
    let key = try await SecretInput().read(prompt: "Key for \(name) (empty to enter it later): ")
    defer { key.clear() }
    guard !key.value.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else { return }
    let place = try await AICredentialManager.shared.store(
      credential: AICredential(providerID: name, type: .apiKey, name: "Key for \(name)"),
      value: key)
    await terminal.note("Stored the key for \(name) (\(place)).")
  }

  /// True if the connector works, or if the user keeps it anyway.
  private func isWanted(
    _ connector: Connector, _ questions: Questionnaire, _ terminal: Terminal
  ) async throws -> Bool {
    guard !skipsTest else { return true }
    if !assumesDefaults {
      guard try await questions.confirm("Test it? That costs a few tokens.", default: true) else {
        return true
      }
    }
    await terminal.showStatus("Testing \(connector.name) …")
    let report = await ConnectorTest().run(connector)
    await terminal.showStatus("")
    try Task.checkCancellation()
    await terminal.note(TestConnectorCommand.line(connector.id, report))
    if report.isGood { return true }
    if assumesDefaults { throw CommandFailure(.unavailable) }
    return try await questions.confirm("Keep it anyway?", default: false)
  }

  // MARK: The action

  private func setUpAction(
    _ questions: Questionnaire, _ terminal: Terminal
  ) async throws -> TextAction {
    let library = try await FileConfigurationStore().load().configuration.actions
    let present = try library.action(actionName)
    var chosen = present
    if actionName == nil, !assumesDefaults {
      let word = try await questions.choose(
        "Which action?", among: library.active.map { ($0.id, $0.name) }, default: present.id)
      chosen = try library.action(word)
    }
    let id = chosen.id
    let asksForLanguage =
      (try? PromptTemplate(chosen.prompt).variables.contains("target_language")) == true
    var target = language
    if asksForLanguage, target == nil {
      let present = chosen.variables["target_language"] ?? ""
      let answer = try await questions.ask("Target language?", default: present)
      target = answer.isEmpty ? nil : answer
    }
    let name = target.map { LanguageName($0).name }
    let updated = try await ActionsCommands.update { configuration in
      if configuration.actions.defaultID != id { try configuration.actions.makeDefault(id) }
      guard asksForLanguage, let name else { return }
      try configuration.actions.edit(id) { $0.variables["target_language"] = name }
    }
    await terminal.note("“\(id)” is the default action.")
    return try updated.actions.action(id)
  }

  // MARK: The hot key

  private func setUpHotKey(
    _ questions: Questionnaire, _ terminal: Terminal, _ action: TextAction
  ) async throws {
    let missing = DesktopText().missingPackages
    if !missing.isEmpty {
      await terminal.note(
        "To read and replace selections, install the packages: sudo apt install "
          + "\(missing.joined(separator: " "))")
    }
    guard !assumesDefaults else {
      return await terminal.note(
        "Print the commands with: speechkit setup --hot-key gnome|kde|sway")
    }
    let word = try await questions.choose(
      "Which desktop?",
      among: HotKey.Desktop.allCases.map { ($0.rawValue, "") } + [("none", "no hot key")],
      default: Self.present?.rawValue ?? "none")
    guard let desktop = HotKey.Desktop(rawValue: word) else { return }
    var key = keys
    while key == nil {
      let answer = try await questions.ask("Which keys?", default: "Super+T")
      do throws(HotKey.ReadingError) {
        key = try HotKey(answer)
      } catch {
        await terminal.note(error.localizedDescription)
      }
    }
    try await terminal.write(snippet(for: desktop, key, action))
  }

  private func snippet(
    for desktop: HotKey.Desktop, _ key: HotKey?, _ action: TextAction
  ) throws -> String {
    let program = CommandLine.arguments.first.flatMap {
      $0.contains("/") ? URL(filePath: $0).standardizedFileURL.path : nil
    }
    return try (key ?? HotKey("Super+T")).snippet(
      for: desktop,
      running: [program ?? "speechkit", "run", action.id, "--selection", "--replace"],
      name: "SpeechKit \(action.id)")
  }

  /// The current desktop, if it is a known one.
  private static var present: HotKey.Desktop? {
    let name =
      (ProcessInfo.processInfo.environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased()
    return HotKey.Desktop.allCases.first { name.contains($0.rawValue) }
  }
}

extension ValueFormat where Value == HotKey {
  static var hotKey: Self {
    Self("KEYS") { text, _ in try HotKey(text) }
  }
}
#endif

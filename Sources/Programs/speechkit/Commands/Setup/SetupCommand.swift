import Foundation
import SpeechActions
import SpeechDesktop
import SpeechKit
import SpokenActions

/// `speechkit setup`: the way from nothing to the first answer.
struct SetupCommand: Command {
  static let declaration = CommandDeclaration(
    name: "setup",
    summary: "Set up the first service, action and hot key, step by step",
    discussion: [
      "Asks for a service and tests it, for the action that is run by default, and prints what makes a hot key of the "
        + "desktop run it on the selection. It can be run again at any time; what is there is kept unless you say "
        + "otherwise. An empty answer means what stands in brackets; answers may come from a pipe, a line each.",
      "For scripts: with --yes nothing is asked, and options say what is not as usual. With --hot-key the lines for that "
        + "desktop are printed, and nothing else happens.",
    ],
    options: FieldOptions<Connector>.declarations.filter { setupOptions.contains($0.name) } + [
      connectorName.declaration, action.declaration, to.declaration, noTest.declaration,
      yes.declaration, hotKey.declaration, keys.declaration,
    ],
    examples: [
      .init("speechkit setup", "Be asked"),
      .init(
        "speechkit setup --yes --connector here --base-url http://127.0.0.1:11434/v1 --to Spanish",
        "The same from a script"),
      .init("speechkit setup --hot-key gnome --keys Super+T | sh", "Only the hot key"),
    ],
    exits: [
      (.badData, "What was given, or the file of actions, has a fault."),
      (.noInput, "The answers ended too early."),
      (.unavailable, "The service cannot be used, with --yes; it is not kept then."),
      (.cannotCreate, "The file cannot be written."),
    ])

  private static let setupOptions = [
    "kind", "base-url", "model", "key-from", "deployment", "api-version",
  ]

  static let connectorName = ValueOption<String>(
    "connector", short: "c", value: "NAME", help: "What the service is called in commands.")
  static let action = ValueOption<String>(
    "action", short: "a", value: "ACTION", help: "The action that is run by default.")
  static let to = ValueOption<String>(
    "to", value: "LANG", help: "The language that is translated into.")
  static let noTest = Flag("no-test", help: "Do not ask the service anything.")
  static let yes = Flag("yes", short: "y", help: "Ask nothing: everything else as is usual.")
  static let hotKey = ValueOption<HotKey.Desktop>(
    "hot-key", value: "DESKTOP", help: "Print what makes a hot key of that desktop run the action.")
  static let keys = ValueOption<HotKey>(
    "keys", value: "KEYS", help: "The hot key, like Super+T or Ctrl+Alt+F9."
  ) { text throws(UsageError) in
    do throws(HotKey.ReadingError) {
      return try HotKey(text)
    } catch {
      throw UsageError(error.localizedDescription)
    }
  }

  private let options: FieldOptions<Connector>
  private let connectorName: String?
  private let actionName: String?
  private let language: String?
  private let tests: Bool
  private let isUsual: Bool
  private let desktop: HotKey.Desktop?
  private let keys: HotKey?

  init(_ arguments: ParsedArguments) throws {
    options = FieldOptions(arguments)
    connectorName = arguments[Self.connectorName]
    actionName = arguments[Self.action]
    language = arguments[Self.to]
    tests = !arguments[Self.noTest]
    isUsual = arguments[Self.yes]
    desktop = arguments[Self.hotKey]
    keys = arguments[Self.keys]
  }

  func run(on terminal: Terminal) async throws {
    let configuration = try await FileConfigurationStore().load().configuration
    if let desktop {
      let action = try configuration.actions.action(actionName)
      return try await terminal.write(snippet(for: desktop, keys, action))
    }
    let questions = Questionnaire(terminal: terminal, isUsual: isUsual)
    await terminal.note("1. A service that answers")
    try await setUpConnector(questions, terminal, configuration)
    await terminal.note("\n2. The action that is run by default")
    let action = try await setUpAction(questions, terminal)
    await terminal.note("\n3. A hot key of the desktop")
    try await setUpHotKey(questions, terminal, action)
    await terminal.note("\nDone. Try: speechkit run \(action.id) \"some text\"")
  }

  // MARK: The connector

  private func setUpConnector(
    _ questions: Questionnaire, _ terminal: Terminal, _ configuration: ActionConfiguration
  ) async throws {
    let present = configuration.connectors.filter(\.isActive)
    if options.isEmpty, connectorName == nil, !present.isEmpty {
      await terminal.note("There is: \(present.map(\.id).joined(separator: ", ")).")
      if isUsual { return }
      guard try await questions.confirm("Add another one?", usual: false) else { return }
    }
    while true {
      let connector = try await askForConnector(questions, configuration)
      await terminal.note(ConnectorsCommands.privacyNote(connector))
      if let name = connector.credential { try await setUpKey(name, terminal) }
      if try await isWanted(connector, questions, terminal) {
        // The same name again means that it is to be as was said now.
        try await ActionsCommands.update { configuration in
          configuration.connectors.removeAll { $0.id == connector.id }
          configuration.connectors.append(connector)
        }
        await terminal.note("The connector “\(connector.id)” is kept.")
        return
      }
    }
  }

  private func askForConnector(
    _ questions: Questionnaire, _ configuration: ActionConfiguration
  ) async throws -> Connector {
    var connector = Connector(id: connectorName ?? "")
    if !options.isEmpty || isUsual {
      if options.isEmpty { connector.kind = .onDevice }
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
        ("server", "another server that speaks as OpenAI's does"), ("azure", "Azure OpenAI"),
        ("offline", "no server: simple answers of the toolkit itself, to try things out"),
      ], usual: "here")
    switch word {
    case "openai", "anthropic":
      connector.kind = word == "openai" ? .openAICompatible : .anthropic
      connector.vendor = word == "openai" ? "OpenAI" : "Anthropic"
      connector.credential = word
      connector.model = try await questions.ask("Model (empty for the usual one)?")
    case "azure":
      connector.vendor = "Azure"
      connector.baseURL = try await questions.ask(
        "Address, like https://NAME.openai.azure.com?", usual: nil)
      connector.kind = .azure(
        deployment: try await questions.ask("Deployment?", usual: nil),
        apiVersion: try await questions.ask("Version of the interface (empty for the newest)?"))
      connector.credential = try await questions.ask(
        "Name that its key is kept under?", usual: "azure")
    case "offline": connector.kind = .onDevice
    default:
      connector.baseURL = try await questions.ask(
        "Address?", usual: word == "here" ? "http://127.0.0.1:11434/v1" : nil)
      connector.model = try await questions.ask("Model (empty for the server's choice)?")
      if word == "server" {
        let name = try await questions.ask("Name that its key is kept under (empty for none)?")
        connector.credential = name.isEmpty ? nil : name
      }
    }
    connector.id = try await questions.ask(
      "What is it called in commands?",
      usual: connectorName ?? configuration.freeConnectorID(for: word))
    connector.name = connector.id
    return connector
  }

  private func setUpKey(_ name: String, _ terminal: Terminal) async throws {
    let inventory = await AICredentialManager.shared.inventory(of: name)
    guard !inventory.items.contains(where: { $0.isUsed }) else { return }
    guard Questionnaire.isPerson, !isUsual else {
      return await terminal.note(
        "There is no key “\(name)”. Store it: speechkit credentials set \(name)")
    }
    let key = try await SecretInput().read(prompt: "Key for \(name) (empty to give it later): ")
    defer { key.clear() }
    guard !key.value.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else { return }
    let place = try await AICredentialManager.shared.store(
      credential: AICredential(providerID: name, type: .apiKey, name: "Key for \(name)"),
      value: key)
    await terminal.note("The key for \(name) is kept (\(place)).")
  }

  /// Whether it works, or is wanted all the same.
  private func isWanted(
    _ connector: Connector, _ questions: Questionnaire, _ terminal: Terminal
  ) async throws -> Bool {
    guard tests else { return true }
    if !isUsual {
      guard try await questions.confirm("Test it? That costs a few tokens.", usual: true) else {
        return true
      }
    }
    await terminal.showStatus("Asking \(connector.name) …")
    let report = await ConnectorTest().run(connector)
    await terminal.showStatus("")
    try Task.checkCancellation()
    await terminal.note(TestConnectorCommand.line(connector.id, report))
    if report.isGood { return true }
    if isUsual { throw CommandFailure(.unavailable) }
    return try await questions.confirm("Keep it all the same?", usual: false)
  }

  // MARK: The action

  private func setUpAction(
    _ questions: Questionnaire, _ terminal: Terminal
  ) async throws -> TextAction {
    let library = try await FileConfigurationStore().load().configuration.actions
    let usual = try library.action(actionName)
    var chosen = usual
    if actionName == nil, !isUsual {
      let word = try await questions.choose(
        "Which one?", among: library.active.map { ($0.id, $0.name) }, usual: usual.id)
      chosen = try library.action(word)
    }
    let id = chosen.id
    let asksForLanguage =
      (try? PromptTemplate(chosen.prompt).variables.contains("target_language")) == true
    var target = language
    if asksForLanguage, target == nil {
      let present = chosen.variables["target_language"] ?? ""
      let answer = try await questions.ask("Into which language?", usual: present)
      target = answer.isEmpty ? nil : answer
    }
    let name = target.map { LanguageName($0).name }
    let updated = try await ActionsCommands.update { configuration in
      if configuration.actions.defaultID != id { try configuration.actions.makeDefault(id) }
      guard asksForLanguage, let name else { return }
      try configuration.actions.edit(id) { $0.variables["target_language"] = name }
    }
    await terminal.note("“\(id)” is the default.")
    return try updated.actions.action(id)
  }

  // MARK: The hot key

  private func setUpHotKey(
    _ questions: Questionnaire, _ terminal: Terminal, _ action: TextAction
  ) async throws {
    let missing = DesktopText().missingPackages
    if !missing.isEmpty {
      await terminal.note(
        "To read and replace what is selected, install: sudo apt install \(missing.joined(separator: " "))"
      )
    }
    guard !isUsual else {
      return await terminal.note("Print it with: speechkit setup --hot-key gnome|kde|sway")
    }
    let word = try await questions.choose(
      "Which desktop?",
      among: HotKey.Desktop.allCases.map { ($0.rawValue, "") } + [("none", "no hot key")],
      usual: Self.present?.rawValue ?? "none")
    guard let desktop = HotKey.Desktop(rawValue: word) else { return }
    var key = keys
    while key == nil {
      let answer = try await questions.ask("Which keys?", usual: "Super+T")
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

  /// The desktop that this runs on, if it is one of those.
  private static var present: HotKey.Desktop? {
    let name =
      (ProcessInfo.processInfo.environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased()
    return HotKey.Desktop.allCases.first { name.contains($0.rawValue) }
  }
}

import SpeechActions
import SpeechKit

/// `speechkit connectors test`: finds out whether connectors answer.
struct TestConnectorCommand: Command {
  static let declaration = CommandDeclaration(
    name: "connectors test",
    summary: "See whether a service answers, and what is wrong if not",
    discussion: [
      "Asks for the list of models and then for one word, which costs a few tokens; nothing that costs with --free. "
        + "Without CONNECTOR all active ones are tested, one after the other.",
      "With --json a line per connector: “connector”, “verdict” (works, dns, refused, tls, key, model, quota, time-out, "
        + "not-an-api, offline, service or settings), “message”, and “latencyMilliseconds” and “models” as far as known.",
    ],
    positionals: [
      PositionalDeclaration(
        name: "CONNECTOR", count: .zeroOrMore, help: "Connectors, by their ids or names.",
        hint: .nothing)
    ],
    options: [free.declaration, ActionsCommands.json.declaration],
    examples: [
      .init("speechkit connectors test work", "Test one"),
      .init("speechkit connectors test --free", "Test all, without any costs"),
    ],
    exits: [
      (.success, "All of them can be used."),
      ActionsCommands.exits[0],
      (.unavailable, "One of them cannot be used, or there is no such connector."),
    ])

  static let free = Flag("free", help: "Ask nothing that costs; wrong models may not be found out.")

  private let names: [String]
  private let isFree: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    names = arguments.positionals
    isFree = arguments[Self.free]
    isJSON = arguments[ActionsCommands.json]
  }

  func run(on terminal: Terminal) async throws {
    let configuration = try await FileConfigurationStore().load().configuration
    let connectors =
      names.isEmpty
      ? configuration.connectors.filter(\.isActive)
      : try names.map { try configuration.connector($0) }
    guard !connectors.isEmpty else {
      throw ActionError.noConnector("There is no active connector. Add one with `speechkit setup`.")
    }
    var isGood = true
    for connector in connectors {
      await terminal.showStatus("Asking \(connector.name) …")
      let report = await ConnectorTest().run(connector, isFree: isFree)
      await terminal.showStatus("")
      try Task.checkCancellation()
      isGood = isGood && report.isGood
      if isJSON {
        try await terminal.writeJSON(Row(connector.id, report))
      } else {
        try await terminal.writeLine(Self.line(connector.id, report))
      }
    }
    if !isGood { throw CommandFailure(.unavailable) }
  }

  /// What a person reads of it.
  static func line(_ id: String, _ report: ConnectorReport) -> String {
    let time = report.latency.map { " (\($0.brief))" } ?? ""
    return "\(id)  \(report.verdict.rawValue)  \(report.message)\(time)".harmless
  }

  private struct Row: Encodable {
    var connector: String
    var verdict: String
    var message: String
    var models: [String]
    var latencyMilliseconds: Int?
    var answer: String?

    init(_ id: String, _ report: ConnectorReport) {
      connector = id
      verdict = report.verdict.rawValue
      message = report.message
      models = report.models
      latencyMilliseconds = report.latency?.wholeMilliseconds
      answer = report.answer
    }
  }
}

#if Cloud
import SpeechActions
import SpeechCommand

struct TestConnectorCommand: Command {
  static let about = CommandDeclaration(
    name: "connectors test",
    summary: "Test connectors and diagnose failures",
    discussion: """
      Requests the list of models and then one word, which costs a few tokens; with --free only the
      list. Without CONNECTOR all active connectors are tested, one after another.

      With --json, one object per line: “connector”, “verdict” (works, dns, refused, tls, key,
      model, quota, time-out, not-an-api, offline, service or settings), “message”, and
      “latencyMilliseconds” and “models” if known.
      """,
    examples: [
      "speechkit connectors test work": "Test one connector",
      "speechkit connectors test --free": "Test all without cost",
    ],
    exits: [
      .success: "All connectors work.",
      .badData: ActionsCommands.badConfiguration,
      .unavailable: "A connector does not work, or there is no such connector.",
    ])

  @Argument("CONNECTOR", isRequired: false, help: "Connectors, by their ids or names.")
  var names: [String]
  @Flag("--free", help: "Send no request that costs; may miss a wrong model.") var isFree
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let configuration = try await FileConfigurationStore().load().configuration
    let connectors =
      names.isEmpty
      ? configuration.connectors.filter(\.isActive)
      : try names.map { try configuration.connector($0) }
    guard !connectors.isEmpty else {
      throw ActionError.noConnector(
        "There is no active connector. Run `speechkit setup` to add one.")
    }
    var isGood = true
    for connector in connectors {
      await terminal.showStatus("Testing \(connector.name) …")
      let report = await ConnectorTest().run(connector, isFree: isFree)
      await terminal.showStatus("")
      try Task.checkCancellation()
      isGood = isGood && report.isGood
      await ConnectorsCommands.noteKeyWarning(of: connector, on: terminal)
      try await terminal.write(
        Self.line(connector.id, report) + "\n", json: Self.record(connector.id, report),
        isJSON: isJSON)
    }
    if !isGood { throw CommandFailure(.unavailable) }
  }

  /// The result as a line of text.
  static func line(_ id: String, _ report: ConnectorReport) -> String {
    let time = report.latency.map { " (\($0.brief))" } ?? ""
    return "\(id)  \(report.verdict.rawValue)  \(report.message)\(time)".harmless
  }

  private static func record(_ id: String, _ report: ConnectorReport) -> JSONRecord {
    [
      "connector": id, "verdict": report.verdict.rawValue, "message": report.message,
      "models": report.models, "latencyMilliseconds": report.latency?.wholeMilliseconds,
      "answer": report.answer,
    ]
  }
}
#endif

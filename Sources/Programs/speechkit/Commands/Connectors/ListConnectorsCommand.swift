#if Cloud
import SpeechActions
import SpeechCommand

struct ListConnectorsCommand: Command {
  static let about = CommandDeclaration(
    name: "connectors list",
    summary: "List the connectors",
    discussion: """
      One connector per line, grouped by vendor: its id, vendor, kind, address, model, the name of
      its key, and whether it is active. With --json, an array of objects, in the order in which
      they are asked.
      """,
    examples: ["speechkit connectors list": "List the connectors"],
    exits: [.badData: ActionsCommands.badConfiguration])

  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let connectors = try await FileConfigurationStore().load().configuration.connectors
    if isJSON { return try await terminal.writeJSON(connectors.map(\.record)) }
    guard !connectors.isEmpty else {
      return await terminal.note(
        "There are no connectors. Run `speechkit setup` to add the first one.")
    }
    var vendors: [String] = []
    for connector in connectors where !vendors.contains(connector.vendor) {
      vendors.append(connector.vendor)
    }
    let rows = vendors.flatMap { vendor in
      connectors.filter { $0.vendor == vendor }.map { connector in
        [
          connector.id, vendor, connector.kind.name.rawValue, connector.baseURL,
          connector.model, connector.credential ?? "", connector.isActive ? "active" : "off",
        ]
      }
    }
    try await terminal.write(
      TextTable(rows, heading: ["ID", "VENDOR", "KIND", "URL", "MODEL", "KEY", ""]).text)
  }
}
#endif

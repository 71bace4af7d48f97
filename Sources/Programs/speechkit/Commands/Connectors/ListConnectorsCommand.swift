import SpeechActions
import SpeechKit

/// `speechkit connectors list`: shows the connectors.
struct ListConnectorsCommand: Command {
  static let declaration = CommandDeclaration(
    name: "connectors list",
    summary: "List the connectors",
    discussion: [
      "A line per connector, grouped by vendor: id, vendor, kind, address, model, the name of its key, and whether it "
        + "is asked. With --json an array of objects, in the order in which they are asked."
    ],
    options: [ActionsCommands.json.declaration],
    examples: [.init("speechkit connectors list", "See which there are")],
    exits: [ActionsCommands.exits[0]])

  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    isJSON = arguments[ActionsCommands.json]
  }

  func run(on terminal: Terminal) async throws {
    let connectors = try await FileConfigurationStore().load().configuration.connectors
    if isJSON { return try await terminal.writeJSON(connectors.map(\.record)) }
    guard !connectors.isEmpty else {
      return await terminal.note(
        "There are no connectors. `speechkit setup` makes the first one with you.")
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

#if Cloud
import SpeechActions
import SpeechCommand

struct ExportActionsCommand: Command {
  static let about = CommandDeclaration(
    name: "actions export",
    summary: "Export all actions and connectors",
    discussion: """
      Writes them to standard output in the format of the configuration file. Keys are not included,
      only the names under which they are stored.
      """,
    examples: ["speechkit actions export > team.toml": "Share them with others"],
    exits: [.badData: ActionsCommands.badConfiguration])

  func run(on terminal: Terminal) async throws {
    let configuration = try await FileConfigurationStore().load().configuration
    try await terminal.write(ConfigurationText.text(of: configuration))
  }
}

struct ImportActionsCommand: Command {
  static let about = CommandDeclaration(
    name: "actions import",
    summary: "Import actions and connectors from a file",
    discussion:
      "Identical entries are skipped. If one entry cannot be imported, nothing is changed.",
    examples: [
      "speechkit actions import team.toml": "Add new entries",
      "speechkit actions import team.toml --on-clash rename": "Keep both of different entries",
    ],
    exits: ActionsCommands.exits.merging([.noInput: "There is no such file."]) { $1 })

  @Argument("FILE", .input, help: "A configuration file; “-” is standard input.") var path: String
  @Option(
    "--on-clash", as: .choice("RULE"),
    help: "What to do with an entry whose id exists; keep the existing one unless given.")
  var clash = ActionConfiguration.Clash.keep

  func run(on terminal: Terminal) async throws {
    let text = try await TextInput().read(TextSource(path: path))
    let other = try ConfigurationText.configuration(in: text)
    let store = try FileConfigurationStore()
    let snapshot = try await store.load()
    var configuration = snapshot.configuration
    let summary = try configuration.take(other, onClash: clash)
    try await store.save(configuration, basedOn: snapshot)
    for (label, ids) in [
      ("Added", summary.added), ("Replaced", summary.replaced), ("Kept", summary.kept),
      ("Renamed", summary.renamed.sorted { $0.key < $1.key }.map { "\($0.key) → \($0.value)" }),
    ] where !ids.isEmpty {
      await terminal.note("\(label): \(ids.joined(separator: ", ")).")
    }
  }
}
#endif

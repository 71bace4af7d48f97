import Foundation
import SpeechActions
import SpeechKit

/// `speechkit actions export`: the actions and connectors, to be given to others.
struct ExportActionsCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions export",
    summary: "Write all actions and connectors, to take them elsewhere",
    discussion: [
      "In the form of the file of actions, to standard output. There are no keys in it, only the names that they are "
        + "kept under."
    ],
    examples: [.init("speechkit actions export > team.toml", "Share them with others")],
    exits: [ActionsCommands.exits[0]])

  init(_ arguments: ParsedArguments) throws {}

  func run(on terminal: Terminal) async throws {
    let configuration = try await FileConfigurationStore().load().configuration
    try await terminal.write(ConfigurationText.text(of: configuration))
  }
}

/// `speechkit actions import`: takes over the actions and connectors of others.
struct ImportActionsCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions import",
    summary: "Take over actions and connectors from a file",
    discussion: ["What is the same already is passed over. All of it is taken, or nothing."],
    positionals: [
      PositionalDeclaration(
        name: "FILE", count: .required, help: "A file of actions; “-” is standard input.")
    ],
    options: [clash.declaration],
    examples: [
      .init("speechkit actions import team.toml", "Add what is new"),
      .init("speechkit actions import team.toml --on-clash rename", "Keep both of what differs"),
    ],
    exits: ActionsCommands.exits + [(.noInput, "There is no such file.")])

  static let clash = ValueOption<ActionConfiguration.Clash>(
    "on-clash", value: "HOW",
    help: "What happens to what is there under the same id; keep unless given.")

  private let path: String
  private let clash: ActionConfiguration.Clash

  init(_ arguments: ParsedArguments) throws {
    path = arguments.positionals[0]
    clash = arguments[Self.clash] ?? .keep
  }

  func run(on terminal: Terminal) async throws {
    let text =
      path == "-"
      ? try await TextInput().readStandardInput() : try await TextInput().read(path: path)
    let other = try ConfigurationText.configuration(in: text)
    let store = try FileConfigurationStore()
    let snapshot = try await store.load()
    var configuration = snapshot.configuration
    let summary = try configuration.take(other, onClash: clash)
    try await store.save(configuration, basedOn: snapshot)
    for (word, ids) in [
      ("Added", summary.added), ("Replaced", summary.replaced), ("Kept as they are", summary.kept),
      (
        "Added under another id",
        summary.renamed.sorted { $0.key < $1.key }.map { "\($0.key) → \($0.value)" }
      ),
    ] where !ids.isEmpty {
      await terminal.note("\(word): \(ids.joined(separator: ", ")).")
    }
  }
}

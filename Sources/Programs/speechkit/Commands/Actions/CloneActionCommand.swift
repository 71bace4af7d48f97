import SpeechConcurrency
import SpeechKit

/// `speechkit actions clone`: makes a copy of an action.
struct CloneActionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions clone",
    summary: "Make a copy of an action, to change it",
    discussion: ["Writes the id of the copy to standard output."],
    positionals: [
      ActionsCommands.action,
      PositionalDeclaration(
        name: "NAME", count: .optional, help: "The name of the copy.", hint: .nothing),
    ],
    examples: [.init("speechkit actions clone translate formal", "Begin a variant")],
    exits: ActionsCommands.exits)

  private let name: String
  private let newName: String?

  init(_ arguments: ParsedArguments) throws {
    name = arguments.positionals[0]
    newName = arguments.positionals.dropFirst().first
  }

  func run(on terminal: Terminal) async throws {
    let (name, newName) = (name, newName)
    let copy = Guarded("")
    try await ActionsCommands.update { configuration in
      let id = try configuration.actions.clone(name, as: newName)
      copy.withLock { $0 = id }
    }
    try await terminal.writeLine(copy.withLock { $0 })
  }
}

#if Cloud
import SpeechCommand
import SpeechConcurrency

struct CloneActionCommand: Command {
  static let about = CommandDeclaration(
    name: "actions clone",
    summary: "Copy an action",
    discussion: "Writes the id of the copy to standard output.",
    examples: ["speechkit actions clone translate formal": "Start a variant"],
    exits: ActionsCommands.exits)

  var action = ActionArgument()
  @Argument("NAME", help: "The name of the copy.") var newName: String?

  func run(on terminal: Terminal) async throws {
    let (name, newName) = (action.name, newName)
    let copy = Guarded("")
    try await ActionsCommands.update { configuration in
      let id = try configuration.actions.clone(name, as: newName)
      copy.withLock { $0 = id }
    }
    try await terminal.writeLine(copy.withLock { $0 })
  }
}
#endif

#if Cloud
import SpeechCommand

struct ArchiveActionCommand: Command {
  static let about = CommandDeclaration(
    name: "actions archive",
    summary: "Hide an action, or restore or delete it",
    discussion: "If it was the default, the first remaining action becomes the default.",
    examples: [
      "speechkit actions archive tone": "Hide an action",
      "speechkit actions archive tone --restore": "Show it again",
    ],
    exits: ActionsCommands.exits)

  var action = ActionArgument()
  @Flag("--restore", help: "Show the action again.") var restores
  @Flag("--delete", help: "Delete the action.") var deletes

  func validate() throws {
    guard !restores || !deletes else {
      throw UsageError("Give either --restore or --delete, not both.")
    }
  }

  func run(on terminal: Terminal) async throws {
    let (name, restores, deletes) = (action.name, restores, deletes)
    try await ActionsCommands.update { configuration in
      if deletes {
        try configuration.actions.remove(name)
      } else {
        try configuration.actions.archive(name, !restores)
      }
    }
    let change = deletes ? "Deleted" : restores ? "Restored" : "Archived"
    await terminal.note("\(change) the action “\(name)”.")
  }
}
#endif

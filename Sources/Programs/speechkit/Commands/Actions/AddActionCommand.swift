#if Cloud
import SpeechActions
import SpeechCommand

struct AddActionCommand: Command {
  static let about = CommandDeclaration(
    name: "actions add",
    summary: "Add an action",
    discussion: "Uses the options, or $EDITOR if none is given.",
    examples: [
      "speechkit actions add haiku --prompt \"Make a haiku of this: {{text}}\"":
        "An action with a template only",
      "speechkit actions add twice -c fast -c good --mode parallel --prompt-file ask.txt":
        "Two answers side by side",
    ],
    exits: ActionsCommands.exits)

  @Argument("ID", help: "The name in commands, like “make-haiku”.") var id: String
  var options = ActionOptions()

  func run(on terminal: Terminal) async throws {
    var action = TextAction(id: id, name: id, prompt: "")
    if options.isAnyGiven {
      try await options.change()(&action)
      guard !action.prompt.isEmpty else {
        throw UsageError("An action needs a --prompt or a --prompt-file.")
      }
    } else {
      action = try await edited(action, terminal)
    }
    let new = action
    try await ActionsCommands.update { try $0.actions.add(new) }
    await ActionsCommands.noteAppendedText(of: new, on: terminal)
    await terminal.note("Added the action “\(new.id)”. Run it: speechkit run \(new.id) TEXT")
  }

  @MainActor private func edited(
    _ action: TextAction, _ terminal: Terminal
  ) async throws -> TextAction {
    let configuration = try await FileConfigurationStore().load().configuration
    var draft = action
    draft.prompt = "Describe the task here.\n\n{{text}}\n"
    let edited = try await EntryEditor().edit(
      try EntryText.text(of: draft), named: id, on: terminal
    ) { try EntryText.action(in: $0, connectors: configuration.connectors) }
    guard let edited else {
      throw CommandFailure(.badData, "The text was not changed, so no action was added.")
    }
    return edited
  }
}
#endif

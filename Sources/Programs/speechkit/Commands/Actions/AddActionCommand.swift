import SpeechActions
import SpeechKit

/// `speechkit actions add`: makes an action.
struct AddActionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions add",
    summary: "Make an action",
    discussion: ["With options, or in $EDITOR where none is given."],
    positionals: [
      PositionalDeclaration(
        name: "ID", count: .required, help: "What it is called in commands, like “make-haiku”.",
        hint: .nothing)
    ],
    options: ActionOptions.declarations,
    examples: [
      .init(
        "speechkit actions add haiku --prompt \"Make a haiku of this: {{text}}\"",
        "An action of one template"),
      .init(
        "speechkit actions add twice -c fast -c good --mode parallel --prompt-file ask.txt",
        "Two answers beside each other"),
    ],
    exits: ActionsCommands.exits)

  private let id: String
  private let options: ActionOptions

  init(_ arguments: ParsedArguments) throws {
    id = arguments.positionals[0]
    options = try ActionOptions(arguments)
  }

  func run(on terminal: Terminal) async throws {
    var action = TextAction(id: id, name: id, prompt: "")
    if options.isEmpty {
      let configuration = try await FileConfigurationStore().load().configuration
      action.prompt = "What is to be done with this?\n\n{{text}}\n"
      let edited = try await EntryEditor().edit(
        try EntryText.text(of: action), named: id, on: terminal
      ) { try EntryText.action(in: $0, connectors: configuration.connectors) }
      guard let edited else {
        throw CommandFailure(.badData, "Nothing was written, so there is no new action.")
      }
      action = edited
    } else {
      try await options.change()(&action)
      guard !action.prompt.isEmpty else {
        throw UsageError("An action needs a --prompt or a --prompt-file.")
      }
    }
    let new = action
    try await ActionsCommands.update { try $0.actions.add(new) }
    await terminal.note("The action “\(new.id)” is there: speechkit run \(new.id) TEXT")
  }
}

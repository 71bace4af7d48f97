#if Cloud
import SpeechActions
import SpeechCommand

struct EditActionCommand: Command {
  static let about = CommandDeclaration(
    name: "actions edit",
    summary: "Change an action",
    discussion: """
      Uses the options, or $EDITOR if none is given. Text with an error is refused with its line,
      and kept in a file. So is text that was edited while another program changed the
      configuration.
      """,
    examples: [
      "speechkit actions edit translate": "Change it in $EDITOR",
      "speechkit actions edit translate --mode hedged --hedge-after 800ms":
        "Ask the next connector when the first is late",
      "speechkit actions edit tone --privacy this-machine": "Keep texts on this machine",
    ],
    exits: ActionsCommands.exits)

  var action = ActionArgument()
  var options = ActionOptions(removes: true)

  func run(on terminal: Terminal) async throws {
    let store = try FileConfigurationStore()
    let snapshot = try await store.load()
    let present = try snapshot.configuration.actions.action(action.name)
    guard !options.isAnyGiven else {
      let change = try await options.change()
      let configuration = try await ActionsCommands.update {
        try $0.actions.edit(present.id, change)
      }
      try await ActionsCommands.noteAppendedText(
        of: configuration.actions.action(present.id), on: terminal)
      return await terminal.note("Changed the action “\(present.id)”.")
    }
    try await EntryEditor.edit(
      "action", present.id, as: try EntryText.text(of: present), in: snapshot, of: store,
      on: terminal
    ) { text, configuration in
      let new = try EntryText.action(in: text, connectors: configuration.connectors)
      try configuration.actions.edit(present.id) { $0 = new }
      return new.id
    }
  }
}
#endif

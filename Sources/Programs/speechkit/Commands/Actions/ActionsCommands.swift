#if Cloud
import AIServices
import SpeechActions
import SpeechCommand

enum ActionsCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "actions",
      summary: "Define actions on texts: translate, summarise, correct, …",
      discussion: """
        An action consists of a prompt template and rules for choosing connectors; `speechkit run`
        runs it. Actions and connectors are stored in speechkit/actions.toml in $XDG_CONFIG_HOME or
        ~/.config, which you may edit. Changes by commands preserve your comments.

        In templates, {{text}} stands for the text. Other variables are {{source_language}},
        {{target_language}}, {{locale}}, {{app}}, {{date}} and {{clipboard}}, and those that the
        action defines. {{name|words}} uses the words if the variable has no value; {{#if
        name}}…{{else}}…{{/if}} is a condition. The text is appended to a prompt without {{text}}.
        """,
      examples: [
        "speechkit actions list": "List the actions",
        "speechkit actions clone translate formal": "Start a variant of an action",
        "speechkit actions edit formal": "Change it in $EDITOR",
      ]),
    [
      .command(ListActionsCommand.self), .command(ShowActionCommand.self),
      .command(AddActionCommand.self), .command(EditActionCommand.self),
      .command(CloneActionCommand.self), .command(ArchiveActionCommand.self),
      .command(DefaultActionCommand.self), .command(PreviewActionCommand.self),
      .command(ActionsCacheCommand.self), .command(ExportActionsCommand.self),
      .command(ImportActionsCommand.self),
    ])

  /// The exit codes for errors of the configuration file.
  static let exits: [ExitStatus: String] = [
    .badData: badConfiguration,
    .unavailable: "There is no such action or connector.",
    .cannotCreate: "The file cannot be written, or it changed in the meantime.",
  ]
  static let badConfiguration =
    "A value or the configuration file has an error, which is reported with its line."

  /// Changes the user's configuration. Errors have no lines, because the user does not see the
  /// file.
  @discardableResult
  static func update(
    _ change: @Sendable (inout ActionConfiguration) throws -> Void
  ) async throws -> ActionConfiguration {
    let store = try FileConfigurationStore()
    _ = try await store.load()
    do {
      return try await store.update(change).configuration
    } catch ActionError.configuration(let diagnostics) {
      throw ActionError.configuration(
        diagnostics.map { diagnostic in
          var diagnostic = diagnostic
          diagnostic.line = 0
          return diagnostic
        })
    }
  }

  /// Notes that the text is appended to a prompt without a place for it.
  static func noteAppendedText(of action: TextAction, on terminal: Terminal) async {
    guard (try? ActionTemplates(action))?.appendsText == true else { return }
    await terminal.note(ActionTemplates.appendingNote)
  }
}

struct ActionArgument: OptionGroup {
  @Argument("ACTION", help: "The action, by its id or name.") var name: String
}

extension ActionLibrary {
  /// Returns the settings of an action as `--json` writes them.
  func record(of action: TextAction) -> [String: SendableValue] {
    action.record.merging(["isDefault": .bool(defaultID == action.id)]) { $1 }
  }
}
#endif

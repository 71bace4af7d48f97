import SpeechActions
import SpeechKit

/// `speechkit actions`: what is done with texts.
enum ActionsCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "actions",
      summary: "Define what is done with texts: translate, summarise, correct, …",
      discussion: [
        "An action is a template of a question, and whom to ask it: `speechkit run` runs it. Actions and connectors "
          + "are kept in one file that may be edited by hand as well, speechkit/actions.toml in $XDG_CONFIG_HOME or "
          + "~/.config; comments in it stay where they are.",
        "In templates {{text}} is the text; {{source_language}}, {{target_language}}, {{locale}}, {{app}}, {{date}} "
          + "and {{clipboard}} are known as well, and so are the action's own variables. {{name|words}} has words for "
          + "where there is no value; {{#if name}}…{{else}}…{{/if}} is a condition.",
      ],
      examples: [
        .init("speechkit actions list", "See which there are"),
        .init("speechkit actions clone translate formal", "Begin a variant of one"),
        .init("speechkit actions edit formal", "Change it in $EDITOR"),
      ]),
    [
      .command(ListActionsCommand.self), .command(ShowActionCommand.self),
      .command(AddActionCommand.self), .command(EditActionCommand.self),
      .command(CloneActionCommand.self), .command(ArchiveActionCommand.self),
      .command(DefaultActionCommand.self), .command(PreviewActionCommand.self),
      .command(ExportActionsCommand.self), .command(ImportActionsCommand.self),
    ])

  /// The argument that most of them take.
  static let action = PositionalDeclaration(
    name: "ACTION", count: .required, help: "The action, by its id or name.", hint: .nothing)

  static let json = Flag("json", help: "Write JSON.")

  /// What may go wrong with the file.
  static let exits: [(status: ExitStatus, meaning: String)] = [
    (.badData, "What was given, or the file of actions, has a fault; it is named with its line."),
    (.unavailable, "There is no such action or connector."),
    (.cannotCreate, "The file cannot be written, or somebody else changed the same."),
  ]

  /// A change of the user's file, made from the command line.
  ///
  /// - Throws: `ActionError`, the faults told without lines: the file is not what the user is looking at.
  @discardableResult
  static func update(
    _ change: @Sendable (inout ActionConfiguration) throws -> Void
  ) async throws -> ActionConfiguration {
    let store = try FileConfigurationStore()
    _ = try await store.load()
    do {
      return try await store.update(change).configuration
    } catch ActionError.configuration(let faults) {
      throw ActionError.configuration(
        faults.map { fault in
          var fault = fault
          fault.line = 0
          return fault
        })
    }
  }
}

extension ActionLibrary {
  /// An action as `--json` writes it.
  func record(of action: TextAction) -> [String: SendableValue] {
    action.record.merging(["isDefault": .bool(defaultID == action.id)]) { $1 }
  }
}

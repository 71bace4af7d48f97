import SpeechKit

/// `speechkit actions archive`: keeps an action out of sight.
struct ArchiveActionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions archive",
    summary: "Keep an action without offering it",
    discussion: ["When it was the default, the first that is left becomes the default."],
    positionals: [ActionsCommands.action],
    options: [restore.declaration, delete.declaration],
    examples: [
      .init("speechkit actions archive tone", "Keep it out of sight"),
      .init("speechkit actions archive tone --restore", "Offer it again"),
    ],
    exits: ActionsCommands.exits)

  static let restore = Flag("restore", help: "Offer it again.")
  static let delete = Flag("delete", help: "Remove it for good.")

  private let name: String
  private let restores: Bool
  private let deletes: Bool

  init(_ arguments: ParsedArguments) throws {
    name = arguments.positionals[0]
    restores = arguments[Self.restore]
    deletes = arguments[Self.delete]
    guard !restores || !deletes else {
      throw UsageError("Give either --restore or --delete, not both.")
    }
  }

  func run(on terminal: Terminal) async throws {
    let (name, restores, deletes) = (name, restores, deletes)
    try await ActionsCommands.update { configuration in
      if deletes {
        try configuration.actions.remove(name)
      } else {
        try configuration.actions.archive(name, !restores)
      }
    }
    let what = deletes ? "removed" : restores ? "offered again" : "archived"
    await terminal.note("The action “\(name)” is \(what).")
  }
}

import SpeechActions
import SpeechDesktop
import SpeechKit

/// `speechkit actions preview`: shows what would be asked.
struct PreviewActionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "actions preview",
    summary: "Show how the template of an action is filled in",
    discussion: [
      "Writes the question to standard output and sends nothing; on standard error a line per gap says which value "
        + "it got, and from where: the input, the action, or the words in the template. With --json an object with "
        + "“prompt” and “system”, each with “text”, “pieces”, “conditions” and “faults”."
    ],
    positionals: ActionInputOptions.positionals,
    options: ActionInputOptions.declarations + [ActionsCommands.json.declaration],
    examples: [
      .init("speechkit actions preview translate \"Guten Tag\" --to es", "See what would be asked")
    ],
    exits: [
      (.badData, "A variable is unknown or has no value, or the template or the file has a fault."),
      (.noInput, "There is no such file."),
      (.unavailable, "There is no such action, no desktop, or nothing is selected."),
    ])

  private let options: ActionInputOptions
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    options = try ActionInputOptions(arguments)
    isJSON = arguments[ActionsCommands.json]
  }

  func run(on terminal: Terminal) async throws {
    let action = try await FileConfigurationStore().load().configuration.actions
      .action(options.action)
    let input = try await options.input(for: action, desktop: DesktopText())
    let values = TemplateValues(input, variables: action.variables)
    let prompt = try PromptTemplate(action.prompt).preview(with: values)
    let system = try PromptTemplate(action.system).preview(with: values)
    let faults = system.diagnostics + prompt.diagnostics
    if isJSON {
      try await terminal.writeJSON(["prompt": PreviewRow(prompt), "system": PreviewRow(system)])
    } else {
      if !system.text.isEmpty { try await terminal.write(system.text + "\n\n") }
      try await terminal.write(prompt.text + "\n")
      let rows = (system.pieces + prompt.pieces).compactMap(Self.row)
      await terminal.note(TextTable(rows, heading: ["VARIABLE", "FROM", "VALUE"]).text)
    }
    guard faults.isEmpty else { throw ActionError.template(faults) }
  }

  private static func row(_ piece: TemplatePreview.Piece) -> [String]? {
    guard let variable = piece.variable, let origin = piece.origin else { return nil }
    let line = piece.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return [
      "{{\(variable)}}", origin.rawValue, line.count > 60 ? line.prefix(59) + "…" : line,
    ]
  }
}

/// A filled-in template as `--json` writes it.
private struct PreviewRow: Encodable, Sendable {
  struct Piece: Encodable {
    var text: String
    var variable: String?
    var origin: String?
    var line: Int?
    var column: Int?
  }

  struct Condition: Encodable {
    var variable: String
    var isMet: Bool
  }

  var text: String
  var pieces: [Piece]
  var conditions: [Condition]
  var faults: [String]

  init(_ preview: TemplatePreview) {
    text = preview.text
    pieces = preview.pieces.map { piece in
      Piece(
        text: piece.text, variable: piece.variable, origin: piece.origin?.rawValue,
        line: piece.place?.line, column: piece.place?.column)
    }
    conditions = preview.conditions.map { Condition(variable: $0.variable, isMet: $0.isMet) }
    faults = preview.diagnostics.map(\.description)
  }
}

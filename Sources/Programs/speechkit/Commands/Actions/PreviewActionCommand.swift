#if Cloud
import SpeechActions
import SpeechCommand
import SpeechDesktop

struct PreviewActionCommand: Command {
  static let about = CommandDeclaration(
    name: "actions preview",
    summary: "Show the prompt of an action for a text",
    discussion: """
      Writes the prompt to standard output and sends nothing. Standard error lists the variables
      with their values and origins: the input, the action, or the words in the template. With
      --json, an object with “prompt” and “system”, each with “text”, “pieces”, “conditions” and
      “faults”, and with “appendsText”, which is true if the prompt lacks {{text}}.
      """,
    examples: [
      "speechkit actions preview translate \"Guten Tag\" --to es": "Show the prompt"
    ],
    exits: [
      .badData: "A variable is unknown or has no value, or the template or the file has an error.",
      .noInput: "There is no such file.",
      .unavailable: "There is no such action, no desktop, or no selection.",
    ])

  var options = ActionInputOptions()
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let library = try await FileConfigurationStore().load().configuration.actions
    let (action, source) = try options.chosen(in: library)
    let input = try await options.input(from: source, for: action, desktop: DesktopText())
    let values = TemplateValues(input, variables: action.variables)
    let templates = try ActionTemplates(action)
    let prompt = templates.prompt.preview(with: values)
    let system = templates.system.preview(with: values)
    let diagnostics = system.diagnostics + prompt.diagnostics
    if isJSON {
      let record: JSONRecord = [
        "prompt": Self.record(prompt), "system": Self.record(system),
        "appendsText": templates.appendsText,
      ]
      try await terminal.writeJSON(record)
    } else {
      if !system.text.isEmpty { try await terminal.write(system.text + "\n\n") }
      try await terminal.write(prompt.text + "\n")
      let rows = (system.pieces + prompt.pieces).compactMap(Self.row)
      await terminal.note(TextTable(rows, heading: ["VARIABLE", "FROM", "VALUE"]).text)
      if templates.appendsText { await terminal.note(ActionTemplates.appendingNote) }
    }
    guard diagnostics.isEmpty else { throw ActionError.template(diagnostics) }
  }

  private static func record(_ preview: TemplatePreview) -> JSONRecord {
    [
      "text": preview.text,
      "pieces": preview.pieces.map { piece -> JSONRecord in
        [
          "text": piece.text, "variable": piece.variable, "origin": piece.origin?.rawValue,
          "line": piece.place?.line, "column": piece.place?.column,
        ]
      },
      "conditions": preview.conditions.map { condition -> JSONRecord in
        ["variable": condition.variable, "isMet": condition.isMet]
      },
      "faults": preview.diagnostics.map(\.description),
    ]
  }

  private static func row(_ piece: TemplatePreview.Piece) -> [String]? {
    guard let variable = piece.variable, let origin = piece.origin else { return nil }
    let line = piece.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return [
      "{{\(variable)}}", origin.rawValue, line.count > 60 ? line.prefix(59) + "…" : line,
    ]
  }
}

#endif

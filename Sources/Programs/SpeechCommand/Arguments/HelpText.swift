/// The help of the program and of its commands.
package enum HelpText {
  private static let width = 80

  /// The text of `speechkit --help`.
  package static func ofProgram(_ commands: [CommandDeclaration]) -> String {
    let rows = commands.map { ($0.name, $0.summary + ".") }
    return sections([
      wrapped(
        "speechkit hears and speaks: local speech recognition and synthesis, without a network."),
      section("Usage", "  speechkit COMMAND [OPTIONS] [ARGUMENTS]"),
      section("Commands", table(rows)),
      section(
        "Options",
        table([
          ("-h, --help", "Show this help; after a command, the help of that command."),
          ("--version", "Show the version."),
        ])),
      section(
        "Examples",
        examples([
          "speechkit demo": "A spoken conversation, without microphone or loudspeakers",
          "speechkit say \"Good morning.\"": "Speak",
          "speechkit transcribe talk.mp3": "Transcribe a recording",
          "speechkit listen": "Transcribe the microphone",
          "speechkit doctor": "Check what is installed, and what is missing",
        ])),
      section(
        "Exit codes",
        table(Dictionary(uniqueKeysWithValues: ExitStatus.allCases.map { ($0, $0.meaning) }))),
      wrapped("Results go to standard output, everything else to standard error."),
    ])
  }

  /// The text of `speechkit COMMAND --help`.
  package static func of(_ command: CommandDeclaration) -> String {
    let isGroup = !command.subcommands.isEmpty
    let usage =
      (["speechkit", command.name] + (isGroup ? ["COMMAND"] : []) + ["[OPTIONS]"]
      + (isGroup ? ["[ARGUMENTS]"] : command.positionals.map(\.usage))).joined(separator: " ")
    let common = [ExitStatus.success, .usage, .software, .ioError, .interrupted, .terminated]
    let exits = common.reduce(into: command.exits) { exits, status in
      exits[status] = exits[status] ?? status.meaning
    }
    return sections(
      [wrapped(command.summary + ".")] + [section("Usage", "  " + usage)]
        + command.paragraphs.map { wrapped($0) }
        + [
          section("Commands", table(command.subcommands.map { ($0.word, $0.summary + ".") })),
          section("Arguments", table(command.positionals.map { ($0.usage, $0.help) })),
          section("Options", table(command.allOptions.map(row))),
          section("Examples", examples(command.examples)),
          section("Exit codes", table(exits)),
        ])
  }

  private static func row(_ option: OptionDeclaration) -> (String, String) {
    let spelling = option.spellings.joined(separator: ", ")
    var help = option.help
    if case .choices(let choices) = option.hint, choices.count > 1 {
      help += " One of: \(choices.joined(separator: ", "))."
    }
    return (option.valueName.map { "\(spelling) \($0)" } ?? spelling, help)
  }

  private static func sections(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private static func section(_ title: String, _ body: String) -> String {
    body.isEmpty ? "" : "\(title):\n\(body)"
  }

  private static func examples(_ examples: KeyValuePairs<String, String>) -> String {
    examples.map { "  \($0)\n      \($1)" }.joined(separator: "\n")
  }

  private static func table(_ exits: [ExitStatus: String]) -> String {
    table(
      exits.sorted { $0.key.rawValue < $1.key.rawValue }.map { (String($0.key.rawValue), $0.value) }
    )
  }

  /// Two columns, the second one wrapped.
  private static func table(_ rows: [(String, String)]) -> String {
    let column = min(24, (rows.map(\.0.count).max() ?? 0) + 4)
    let indentation = String(repeating: " ", count: column)
    return rows.map { name, help in
      let lines = TextColumns.wrapped(help, to: width - column)
      let head = "  " + name
      guard head.count <= column - 2 else {
        return ([head] + lines.map { indentation + $0 }).joined(separator: "\n")
      }
      let padding = String(repeating: " ", count: column - head.count)
      return head + padding + lines.joined(separator: "\n" + indentation)
    }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String) -> String {
    TextColumns.wrapped(text, to: width).joined(separator: "\n")
  }
}

package enum FishCompletion {
  package static func script(for commands: [CommandDeclaration]) -> String {
    let head = """
      # fish completion for speechkit; put it into ~/.config/fish/completions/speechkit.fish
      complete -c speechkit -f
      complete -c speechkit -n __fish_use_subcommand -s h -l help -d 'Show the help'
      complete -c speechkit -n __fish_use_subcommand -l version -d 'Show the version'
      """
    return ([head] + commands.map { lines($0) }).joined(separator: "\n") + "\n"
  }

  /// - Parameters:
  ///   - offered: The condition under which the command's name is offered.
  ///   - groups: The words before it.
  private static func lines(
    _ command: CommandDeclaration, offered: String = "-n __fish_use_subcommand",
    groups: [String] = []
  ) -> String {
    let words = groups + [command.word]
    let seen = words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
    let isSeen = "-n '\(seen)'"
    var lines = [
      "complete -c speechkit \(offered) -a \(command.word) -d \(quoted(command.summary))"
    ]
    let below = command.subcommands.map(\.word).joined(separator: " ")
    for subcommand in command.subcommands {
      lines.append(
        Self.lines(
          subcommand, offered: "-n '\(seen); and not __fish_seen_subcommand_from \(below)'",
          groups: words))
    }
    switch command.positionalHint {
    case .nothing: break
    case .input, .output: lines.append("complete -c speechkit \(isSeen) -F")
    case .choices(let choices):
      lines.append("complete -c speechkit \(isSeen) -a \(quoted(choices.joined(separator: " ")))")
    }
    for option in command.allOptions {
      var line = "complete -c speechkit \(isSeen)"
      if let short = option.short { line += " -s \(short)" }
      line += " -l \(option.name)"
      if option.valueName != nil {
        switch option.hint {
        case .nothing: line += " -x"
        case .input, .output: line += " -r -F"
        case .choices(let choices): line += " -x -a \(quoted(choices.joined(separator: " ")))"
        }
      }
      let help = option.help.split(separator: ".").first.map(String.init) ?? ""
      lines.append(line + " -d \(quoted(help))")
    }
    return lines.joined(separator: "\n")
  }

  /// Quotes a text. Fish has two escapes within single quotes.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

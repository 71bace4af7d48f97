package enum ZshCompletion {
  package static func script(for commands: [CommandDeclaration]) -> String {
    """
    #compdef speechkit
    # zsh completion for speechkit; put it into a folder of $fpath under the name _speechkit
    _speechkit() {
      local -a commands
      commands=(
    \(commands.map { "    " + described($0.name, $0.summary) }.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )); then
        _describe -t commands 'command' commands
        _arguments '(-h --help)'{-h,--help}'[show the help]' '--version[show the version]'
        return
      fi
      local command=$words[2]
      shift words
      (( CURRENT-- ))
      case $command in
    \(commands.map(commandCase).joined(separator: "\n"))
      esac
    }

    # Autoloaded by its name it completes at once; read with “source” it is registered.
    if [ "$funcstack[1]" = "_speechkit" ]; then
      _speechkit "$@"
    else
      compdef _speechkit speechkit
    fi

    """
  }

  private static func commandCase(_ command: CommandDeclaration) -> String {
    command.subcommands.isEmpty ? leafCase(command) : groupCase(command)
  }

  private static func groupCase(_ group: CommandDeclaration) -> String {
    """
        \(group.word))
          local -a members
          members=(
    \(group.subcommands.map { "        " + described($0.word, $0.summary) }.joined(separator: "\n"))
          )
          if (( CURRENT == 2 )); then
            _describe -t commands 'command' members
            return
          fi
          local member=$words[2]
          shift words
          (( CURRENT-- ))
          case $member in
    \(group.subcommands.map(commandCase).joined(separator: "\n"))
          esac
          ;;
    """
  }

  private static func leafCase(_ command: CommandDeclaration) -> String {
    var specifications = command.allOptions.flatMap(specifications)
    if let positional = command.positionals.first {
      let count = positional.isRepeated ? "*" : "1"
      specifications.append("\(count):\(positional.name):\(action(positional.hint))".shellQuoted)
    }
    let lines = specifications.map { "      \($0)" }.joined(separator: " \\\n")
    return "    \(command.word))\n      _arguments -s \\\n\(lines)\n      ;;"
  }

  private static func specifications(_ option: OptionDeclaration) -> [String] {
    let help = option.help.split(separator: ".").first.map(String.init) ?? ""
    let description = "[\(escaped(help))]"
    return option.spellings.map { spelling in
      guard let value = option.valueName else { return "\(spelling)\(description)".shellQuoted }
      // “=” takes both --name=value and --name value; “+” both -nvalue and -n value.
      let joint = spelling.hasPrefix("--") ? "=" : "+"
      return "*\(spelling)\(joint)\(description):\(value):\(action(option.hint))".shellQuoted
    }
  }

  private static func action(_ hint: ValueHint) -> String {
    switch hint {
    case .nothing: " "
    case .input, .output: "_files"
    case .choices(let choices): "(\(choices.joined(separator: " ")))"
    }
  }

  private static func described(_ name: String, _ summary: String) -> String {
    "\(name):\(escaped(summary))".shellQuoted
  }

  private static func escaped(_ text: String) -> String {
    text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

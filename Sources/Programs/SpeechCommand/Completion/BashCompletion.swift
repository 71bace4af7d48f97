/// Completion for bash 4 and later.
package enum BashCompletion {
  package static func script(for commands: [CommandDeclaration]) -> String {
    """
    # bash completion for speechkit; put it into
    # ~/.local/share/bash-completion/completions/speechkit
    _speechkit() {
      local word=${COMP_WORDS[COMP_CWORD]} previous= command= index
      (( COMP_CWORD > 0 )) && previous=${COMP_WORDS[COMP_CWORD-1]}
      for (( index = 1; index < COMP_CWORD; index++ )); do
        case ${COMP_WORDS[index]} in
          -*) ;;
          *)
            command=${command:+$command }${COMP_WORDS[index]}
            case $command in
              \(groups(commands).map { "\"\($0.name)\"" }.joined(separator: "|"))) ;;
              *) break ;;
            esac
            ;;
        esac
      done
      COMPREPLY=()
      compopt +o default 2> /dev/null
      case $command in
        '') _speechkit_words \(topWords(commands)) ;;
    \((groups(commands).map(groupCase) + commands.flatMap(\.leaves).map(commandCase))
      .joined(separator: "\n"))
      esac
    }

    _speechkit_words() {
      local IFS=$'\\n'
      COMPREPLY=($(IFS=' '; compgen -W "$*" -- "$word"))
    }

    _speechkit_files() {
      # readline itself completes file names, also unusual ones.
      compopt -o default 2> /dev/null
    }

    complete -F _speechkit speechkit

    """
  }

  private static func topWords(_ commands: [CommandDeclaration]) -> String {
    (commands.map(\.name) + ["--help", "--version"]).joined(separator: " ")
  }

  /// The commands that have subcommands.
  private static func groups(_ commands: [CommandDeclaration]) -> [CommandDeclaration] {
    commands.filter { !$0.subcommands.isEmpty }
  }

  private static func groupCase(_ group: CommandDeclaration) -> String {
    let words = group.subcommands.map(\.word) + group.allOptions.flatMap(\.spellings)
    return "      \"\(group.name)\") _speechkit_words \(words.joined(separator: " ")) ;;"
  }

  private static func commandCase(_ command: CommandDeclaration) -> String {
    let values = command.allOptions.filter { $0.valueName != nil }.map { option in
      "        \(option.spellings.joined(separator: "|"))) \(action(option.hint)); return ;;"
    }
    let words = command.allOptions.flatMap(\.spellings).joined(separator: " ")
    return """
          "\(command.name)")
            case $previous in
      \(values.joined(separator: "\n    "))
              *) ;;
            esac
            case $word in
              -*) _speechkit_words \(words) ;;
              *) \(action(command.positionalHint)) ;;
            esac
            ;;
      """
  }

  private static func action(_ hint: ValueHint) -> String {
    switch hint {
    case .nothing: ":"
    case .input, .output: "_speechkit_files"
    case .choices(let choices):
      "_speechkit_words \(choices.map(\.shellQuoted).joined(separator: " "))"
    }
  }
}

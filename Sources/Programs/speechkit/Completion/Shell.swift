/// A shell that can complete command lines.
enum Shell: String, Sendable, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script that teaches the shell these commands.
  func script(for commands: [CommandDeclaration]) -> String {
    switch self {
    case .bash: BashCompletion.script(for: commands)
    case .zsh: ZshCompletion.script(for: commands)
    case .fish: FishCompletion.script(for: commands)
    }
  }
}

extension String {
  /// The text as one word of a shell, whatever is in it.
  var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}

extension CommandDeclaration {
  /// What a shell offers for its arguments without a name.
  var positionalHint: ValueHint { positionals.first?.hint ?? .nothing }
}

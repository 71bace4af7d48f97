/// A shell for which completion can be generated.
package enum Shell: String, Sendable, CaseIterable {
  case bash
  case zsh
  case fish

  /// The completion script for these commands.
  package func script(for commands: [CommandDeclaration]) -> String {
    switch self {
    case .bash: BashCompletion.script(for: commands)
    case .zsh: ZshCompletion.script(for: commands)
    case .fish: FishCompletion.script(for: commands)
    }
  }
}

extension String {
  /// The text quoted as one word of a shell.
  package var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}

extension CommandDeclaration {
  /// The completion of its arguments.
  package var positionalHint: ValueHint { positionals.first?.hint ?? .nothing }
}

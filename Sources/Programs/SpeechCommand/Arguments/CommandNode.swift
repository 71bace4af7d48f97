import SpeechText

/// A word on the command line: a command, or a group of them.
package enum CommandNode: Sendable {
  case command(any Command.Type)
  /// The declaration of a group, and its commands.
  case group(CommandDeclaration, [CommandNode])

  package var declaration: CommandDeclaration {
    switch self {
    case .command(let type): return type.declaration
    case .group(var declaration, let nodes):
      declaration.subcommands = nodes.map(\.declaration)
      return declaration
    }
  }

  /// The commands of a group; empty for a command.
  package var nodes: [CommandNode] {
    if case .group(_, let nodes) = self { nodes } else { [] }
  }
}

extension [CommandNode] {
  /// Finds a command or group by its name, after those of the groups around it.
  package func find(_ name: String, after path: String? = nil) throws(UsageError) -> CommandNode {
    if let found = first(where: { $0.declaration.word == name }) { return found }
    if name.hasPrefix("-") {
      throw UsageError("There is no option \(name) before a command.", command: path)
    }
    let nearest =
      NearestName.of(name, among: map { $0.declaration.word })
      .map { " Did you mean “\($0)”?" } ?? ""
    let whole = [path, name].compactMap { $0 }.joined(separator: " ")
    throw UsageError("There is no command “\(whole)”.\(nearest)", command: path)
  }
}

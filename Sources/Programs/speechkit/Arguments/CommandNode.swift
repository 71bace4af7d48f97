import SpeechText

/// A word on the command line: a command, or a group of them.
enum CommandNode: Sendable {
  case command(any Command.Type)
  /// What is said of the group, and what is in it.
  case group(CommandDeclaration, [CommandNode])

  var declaration: CommandDeclaration {
    switch self {
    case .command(let type): return type.declaration
    case .group(var declaration, let nodes):
      declaration.subcommands = nodes.map(\.declaration)
      return declaration
    }
  }

  /// What may be typed after it.
  var nodes: [CommandNode] {
    if case .group(_, let nodes) = self { nodes } else { [] }
  }
}

extension [CommandNode] {
  /// The one of that name.
  ///
  /// - Parameter path: the names of the groups that lead here.
  /// - Throws: `UsageError`, naming the nearest where there is none.
  func find(_ name: String, after path: String? = nil) throws(UsageError) -> CommandNode {
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

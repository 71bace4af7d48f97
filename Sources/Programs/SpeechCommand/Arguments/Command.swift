/// A command of `speechkit`.
///
/// Its options and arguments are properties with `@Option`, `@Flag` and `@Argument`, and option
/// groups.
package protocol Command: OptionGroup {
  /// The name, description, examples and exit codes.
  static var about: CommandDeclaration { get }

  /// Files that the command writes at places that it derives itself, which are checked as those
  /// that options name.
  var derivedOutputs: [(path: String, kind: OutputKind)] { get throws }

  /// Runs the command. When the user presses Ctrl-C the task is cancelled: the command then ends
  /// what it began and returns.
  @MainActor func run(on terminal: Terminal) async throws
}

extension Command {
  package var derivedOutputs: [(path: String, kind: OutputKind)] { [] }

  package static var declaration: CommandDeclaration {
    var declaration = about
    for argument in Self().argumentProperties.flatMap(\.declarations) {
      switch argument {
      case .option(let option): declaration.options.append(option)
      case .positional(let positional): declaration.positionals.append(positional)
      }
    }
    return declaration
  }

  /// Initialises a command with the values of a command line, and checks them together.
  package init(_ arguments: ParsedArguments) throws {
    self = ParsedArguments.$current.withValue(arguments) { Self() }
    try validateAll()
    for output in try derivedOutputs { try arguments.checkOutput(output.path, output.kind) }
  }
}

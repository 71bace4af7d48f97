package struct ParsedArguments: Sendable {
  /// The files and folders to read.
  package private(set) var inputs: [String] = []
  /// The files and folders to write.
  package private(set) var outputs: [(path: String, kind: OutputKind)] = []
  private var values: [String: [any Sendable]] = [:]
  private var arguments: [String: [String]] = [:]

  /// The command line of the command that is being initialised; empty while declarations are
  /// collected. See `ArgumentProperty`.
  @TaskLocal package static var current = ParsedArguments()

  package var asksForHelp: Bool { values[CommandDeclaration.help.name] != nil }

  package func values(of option: OptionDeclaration) -> [any Sendable] { values[option.name] ?? [] }

  package func values(of argument: PositionalDeclaration) -> [String] {
    arguments[argument.name] ?? []
  }

  package mutating func add(_ value: any Sendable, for option: OptionDeclaration) {
    values[option.name, default: []].append(value)
    guard let path = value as? String else { return }
    switch option.hint {
    case .input: add(input: path)
    case .output(let kind): outputs.append((path, kind))
    case .nothing, .choices: break
    }
  }

  package mutating func add(_ text: String, for argument: PositionalDeclaration) {
    arguments[argument.name, default: []].append(text)
    if argument.hint == .input { add(input: text) }
  }

  package mutating func add(input: String) {
    // Standard input has no path.
    if input != "-" { inputs.append(input) }
  }
}

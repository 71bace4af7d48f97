/// The values of a command line.
struct ParsedArguments: Sendable {
  private(set) var positionals: [String] = []
  /// The files and folders to read.
  private(set) var inputs: [String] = []
  /// The files and folders to write.
  private(set) var outputs: [(path: String, kind: OutputKind)] = []
  private var values: [String: [any Sendable]] = [:]
  private var arguments: [String: [String]] = [:]

  /// The command line of the command that is being initialised; empty while declarations are
  /// collected. See `ArgumentProperty`.
  @TaskLocal static var current = ParsedArguments()

  /// True if the command's help was asked for.
  var asksForHelp: Bool { has(CommandDeclaration.help) }

  func values(of option: OptionDeclaration) -> [any Sendable] { values[option.name] ?? [] }

  func values(of argument: PositionalDeclaration) -> [String] { arguments[argument.name] ?? [] }

  /// True if the option was given.
  func has(_ option: OptionDeclaration) -> Bool { values[option.name] != nil }

  mutating func add(_ value: any Sendable, for option: OptionDeclaration) {
    values[option.name, default: []].append(value)
    guard let path = value as? String else { return }
    switch option.hint {
    case .input: add(input: path)
    case .output(let kind): outputs.append((path, kind))
    case .nothing, .choices: break
    }
  }

  mutating func add(positional: String) { positionals.append(positional) }

  mutating func add(_ text: String, for argument: PositionalDeclaration) {
    arguments[argument.name, default: []].append(text)
    if argument.hint == .input { add(input: text) }
  }

  mutating func add(input: String) {
    // Standard input has no path.
    if input != "-" { inputs.append(input) }
  }
}

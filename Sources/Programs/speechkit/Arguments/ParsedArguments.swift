/// The arguments of one command line, by their declarations.
struct ParsedArguments: Sendable {
  private(set) var positionals: [String] = []
  /// The files and folders that are named to be read.
  private(set) var inputs: [String] = []
  /// Those that options name to be written.
  private(set) var outputs: [(path: String, kind: OutputKind)] = []
  private var values: [String: [any Sendable]] = [:]
  private var arguments: [String: [String]] = [:]

  /// The command line of the command that is being initialised; empty while declarations are collected.
  ///
  /// Bound only during that, see `ArgumentProperty`.
  @TaskLocal static var current = ParsedArguments()

  /// True if the command's help was asked for.
  var asksForHelp: Bool { self[CommandDeclaration.help] }

  func values(of option: OptionDeclaration) -> [any Sendable] { values[option.name] ?? [] }

  func values(of argument: PositionalDeclaration) -> [String] { arguments[argument.name] ?? [] }

  /// The value given last; `nil` when the option was not given.
  subscript<Value>(option: ValueOption<Value>) -> Value? { all(option).last }

  /// Whether the flag was given.
  subscript(flag: Flag) -> Bool { has(flag.declaration) }

  /// All values of an option that may be given several times.
  func all<Value>(_ option: ValueOption<Value>) -> [Value] {
    (values[option.declaration.name] ?? []).compactMap { $0 as? Value }
  }

  /// Whether the option was given.
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
    // What standard input is, the system tells.
    if input != "-" { inputs.append(input) }
  }
}

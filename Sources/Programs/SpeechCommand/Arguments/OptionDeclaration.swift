/// The kind of a value, for completion and for the checks before a command runs.
package enum ValueHint: Sendable, Equatable {
  case nothing
  /// A file or folder that is read.
  case input
  /// A file or folder that is written.
  case output(OutputKind)
  case choices([String])
}

/// An option as the parser, the help and completion see it, without the type of its value.
package struct OptionDeclaration: Sendable {
  package var name: String
  package var short: Character?
  /// The word for the value in the help; `nil` for a flag.
  package var valueName: String?
  package var help: String
  package var hint: ValueHint
  /// Makes the value from its text.
  package var parse: @Sendable (String) throws(UsageError) -> any Sendable

  /// An option with a value. Its names are spellings such as `--rate` and `-r`.
  package init<Value>(_ names: [String], _ format: ValueFormat<Value>, help: String) {
    let spelling = names[0]
    self.init(names, valueName: format.name, help: help, hint: format.hint) {
      text throws(UsageError) in
      try UsageError.reporting { try format.read(text, spelling) }
    }
  }

  package init(_ names: [String], help: String) {
    self.init(names, valueName: nil, help: help, hint: .nothing) { _ throws(UsageError) in true }
  }

  private init(
    _ names: [String], valueName: String?, help: String, hint: ValueHint,
    parse: @escaping @Sendable (String) throws(UsageError) -> any Sendable
  ) {
    name = String(names[0].trimmingPrefix("--"))
    short = names.dropFirst().first?.last
    (self.valueName, self.help, self.hint, self.parse) = (valueName, help, hint, parse)
  }

  /// `-o`, `--output`
  package var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}

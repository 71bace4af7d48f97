import SpeechText

/// The kind of a value, for completion and for the checks before a command runs.
enum ValueHint: Sendable, Equatable {
  case nothing
  /// A file or folder that is read.
  case input
  /// A file or folder that is written.
  case output(OutputKind)
  case choices([String])
}

/// An option as the parser, the help and completion see it, without the type of its value.
struct OptionDeclaration: Sendable {
  var name: String
  var short: Character?
  /// The word for the value in the help; `nil` for a flag.
  var valueName: String?
  var help: String
  var hint: ValueHint
  /// Makes the value from its text.
  var parse: @Sendable (String) throws(UsageError) -> any Sendable

  init(
    name: String, short: Character?, valueName: String?, help: String, hint: ValueHint,
    parse: @escaping @Sendable (String) throws(UsageError) -> any Sendable
  ) {
    (self.name, self.short, self.valueName) = (name, short, valueName)
    (self.help, self.hint, self.parse) = (help, hint, parse)
  }

  /// An option with a value.
  ///
  /// - Parameter names: Its spellings, such as `--rate` and `-r`.
  init<Value>(_ names: [String], _ format: ValueFormat<Value>, help: String) {
    let spelling = names[0]
    self.init(names, valueName: format.name, help: help, hint: format.hint) {
      text throws(UsageError) in try format.read(text, spelling)
    }
  }

  /// A flag.
  init(_ names: [String], help: String) {
    self.init(names, valueName: nil, help: help, hint: .nothing) { _ throws(UsageError) in true }
  }

  private init(
    _ names: [String], valueName: String?, help: String, hint: ValueHint,
    parse: @escaping @Sendable (String) throws(UsageError) -> any Sendable
  ) {
    self.init(
      name: String(names[0].trimmingPrefix("--")), short: names.dropFirst().first?.last,
      valueName: valueName, help: help, hint: hint, parse: parse)
  }

  /// `-o`, `--output`
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}

/// An option with a value; what it is parsed into is known by its type.
struct ValueOption<Value: Sendable>: Sendable {
  let declaration: OptionDeclaration

  init(
    _ name: String, short: Character? = nil, value: String, help: String,
    hint: ValueHint = .nothing, parse: @escaping @Sendable (String) throws(UsageError) -> Value
  ) {
    declaration = OptionDeclaration(
      name: name, short: short, valueName: value, help: help, hint: hint
    ) { text throws(UsageError) in try parse(text) }
  }
}

extension ValueOption where Value == String {
  init(
    _ name: String, short: Character? = nil, value: String, help: String,
    hint: ValueHint = .nothing
  ) {
    self.init(name, short: short, value: value, help: help, hint: hint) {
      text throws(UsageError) in
      guard !text.isEmpty else { throw UsageError("--\(name) needs a value that is not empty") }
      return text
    }
  }
}

extension ValueOption where Value == Double {
  init(
    _ name: String, short: Character? = nil, value: String, in range: ClosedRange<Double>,
    help: String
  ) {
    self.init(name, short: short, value: value, help: help) { text throws(UsageError) in
      guard let number = Double(text), range.contains(number) else {
        let bounds = "\(range.lowerBound.brief) to \(range.upperBound.brief)"
        throw UsageError("--\(name) takes a number from \(bounds), not “\(text)”")
      }
      return number
    }
  }
}

extension ValueOption where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// An option whose value is one of a few names.
  init(_ name: String, short: Character? = nil, value: String, help: String) {
    let choices = Value.allCases.map(\.rawValue)
    self.init(name, short: short, value: value, help: help, hint: .choices(choices)) {
      text throws(UsageError) in
      guard let value = Value(rawValue: text) else {
        let nearest = NearestName.of(text, among: choices).map { " Did you mean “\($0)”?" } ?? ""
        throw UsageError(
          "--\(name) takes \(choices.joined(separator: ", ")), not “\(text)”.\(nearest)")
      }
      return value
    }
  }
}

extension Double {
  /// Without a fraction where there is none.
  var brief: String { self == rounded() ? String(Int(self)) : String(self) }
}

/// A property of a command that takes its value from the command line.
///
/// Reflection finds these properties; parsing, help and completion all come from their
/// declarations. Reflection can read properties but not set them, so a command is initialised
/// twice: once to see what it declares, and once more with `ParsedArguments.current` bound, from
/// which each property takes its value.
package protocol ArgumentProperty: Sendable {
  var declarations: [ArgumentDeclaration] { get }
  /// True if the command line has a value for it.
  var isGiven: Bool { get }
}

package enum ArgumentDeclaration: Sendable {
  case option(OptionDeclaration)
  case positional(PositionalDeclaration)
}

/// An option with a value.
///
/// ```swift
/// @Option("--rate", "-r", as: .number("0…1", in: 0...1), help: "The pace.") var rate = 0.5
/// ```
///
/// An optional property is `nil` if the option was not given. An array has the values of an option
/// that may be repeated. Any other type needs a default.
@propertyWrapper
package struct Option<Value: Sendable>: ArgumentProperty {
  package let wrappedValue: Value
  package let isGiven: Bool
  private let declaration: OptionDeclaration

  package var declarations: [ArgumentDeclaration] { [.option(declaration)] }

  package init<Element>(
    _ names: String..., as format: ValueFormat<Element>, help: String
  ) where Value == Element? {
    self.init(OptionDeclaration(names, format, help: help)) { (given: [Element]) in given.last
    }
  }

  package init<Element>(
    _ names: String..., as format: ValueFormat<Element>, help: String
  ) where Value == [Element] {
    self.init(OptionDeclaration(names, format, help: help)) { (given: [Element]) in given }
  }

  package init(
    wrappedValue: Value, _ names: String..., as format: ValueFormat<Value>,
    help: String
  ) {
    self.init(OptionDeclaration(names, format, help: help)) { (given: [Value]) in
      given.last ?? wrappedValue
    }
  }

  private init<Element>(_ declaration: OptionDeclaration, value: ([Element]) -> Value) {
    self.declaration = declaration
    let given = ParsedArguments.current.values(of: declaration)
    isGiven = !given.isEmpty
    wrappedValue = value(given.compactMap { $0 as? Element })
  }
}

/// An option without a value: `@Flag("--json", help: "Write JSON.") var isJSON`.
@propertyWrapper
package struct Flag: ArgumentProperty {
  package let wrappedValue: Bool
  private let declaration: OptionDeclaration

  package var declarations: [ArgumentDeclaration] { [.option(declaration)] }
  package var isGiven: Bool { wrappedValue }

  package init(_ names: String..., help: String) {
    declaration = OptionDeclaration(names, help: help)
    wrappedValue = !ParsedArguments.current.values(of: declaration).isEmpty
  }
}

/// An argument, which is given by its position: `@Argument("FILE", .input, help: "…") var file:
/// String?`.
///
/// `String` is required, `String?` may be left out, and `[String]` takes all arguments that follow.
@propertyWrapper
package struct Argument<Value: Sendable>: ArgumentProperty {
  package let wrappedValue: Value
  package let isGiven: Bool
  private let declaration: PositionalDeclaration

  package var declarations: [ArgumentDeclaration] { [.positional(declaration)] }

  package init(_ name: String, _ hint: ValueHint = .nothing, help: String) where Value == String {
    // Empty only while declarations are collected: the parser refuses a command line without it.
    self.init(name, .required, hint, help) { $0.first ?? "" }
  }

  package init(_ name: String, _ hint: ValueHint = .nothing, help: String) where Value == String? {
    self.init(name, .optional, hint, help, value: \.first)
  }

  package init(
    _ name: String, _ hint: ValueHint = .nothing, isRequired: Bool, help: String
  ) where Value == [String] {
    self.init(name, isRequired ? .oneOrMore : .zeroOrMore, hint, help) { $0 }
  }

  private init(
    _ name: String, _ count: PositionalDeclaration.Count, _ hint: ValueHint, _ help: String,
    value: ([String]) -> Value
  ) {
    declaration = PositionalDeclaration(name: name, count: count, help: help, hint: hint)
    let given = ParsedArguments.current.values(of: declaration)
    isGiven = !given.isEmpty
    wrappedValue = value(given)
  }
}

import AIServices

/// A setting of a stored type: its key, its help, the values that it accepts, and how it is read
/// and set.
///
/// A type has one table of fields. The configuration file, the options of commands, the form on the
/// console's page and the output of `--json` iterate it, so that they accept and show the same.
///
/// Values are JSON: times are texts like `20s`, and tables have texts as values.
package struct Field<Owner: Sendable>: Sendable {
  /// The option of the command line that sets a field.
  package struct Option: Sendable {
    package var name: String
    package var short: Character?
    /// The placeholder of the value in the help.
    package var placeholder: String
    /// True for an option without a value, which sets true.
    package var isFlag = false
  }

  /// The key in the configuration file and in forms.
  package let key: String
  /// The label on screens.
  package let title: String
  /// An explanation in one sentence.
  package let help: String
  package let type: FieldType
  /// The option of the command line; `nil` for a field without one.
  package let option: Option?
  /// The name under which commands remove the value; `nil` for a field that always has one.
  package let removalName: String?
  package let jsonKey: String
  package let condition: FieldCondition?
  /// True for a field that must have a value wherever it applies, and that is always written to the
  /// file.
  package let isRequired: Bool
  private let read: @Sendable (Owner) -> SendableValue?
  private let write: @Sendable (inout Owner, SendableValue?) -> Void

  /// Creates a field for a property.
  ///
  /// - Parameters:
  ///   - option: The name of the option; the key if `nil`.
  ///   - placeholder: The placeholder of the option's value; that of the type if `nil`.
  ///   - json: The key in the output of `--json`; derived from the key if `nil`.
  init<Value: FieldConvertible>(
    _ key: String, _ type: FieldType, _ path: WritableKeyPath<Owner, Value> & Sendable,
    title: String, help: String, hasOption: Bool = true, option: String? = nil,
    short: Character? = nil, placeholder: String? = nil, isFlag: Bool = false,
    removal: String? = nil, json: String? = nil, condition: FieldCondition? = nil,
    isRequired: Bool = false
  ) {
    self.key = key
    self.type = type
    self.title = title
    self.help = help
    self.option =
      hasOption
      ? Option(
        name: option ?? key, short: short, placeholder: placeholder ?? type.placeholder,
        isFlag: isFlag) : nil
    removalName = removal
    let words = key.split(separator: "-")
    let name = words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    let suffix = if case .duration = type { "Milliseconds" } else { "" }
    jsonKey = json ?? name + suffix
    self.condition = condition
    self.isRequired = isRequired
    read = { $0[keyPath: path].fieldValue }
    write = { owner, value in
      if let value = Value(fieldValue: value) { owner[keyPath: path] = value }
    }
  }

  /// Returns the value; `nil` where there is none or the field does not apply.
  package func value(of owner: Owner) -> SendableValue? { read(owner) }

  /// Sets the value, or removes it if that is `nil`.
  package func set(_ value: SendableValue?, of owner: inout Owner) throws(FieldError) {
    write(&owner, try value.map { value throws(FieldError) in try type.checked(value) })
  }

  /// Removes the value. Does nothing for a field that always has one.
  package func remove(from owner: inout Owner) { write(&owner, nil) }
}

/// Another field that decides whether a field applies.
package struct FieldCondition: Sendable, Encodable {
  package var key: String
  /// The value that the other field must have; `nil` for any.
  package var value: String?
}

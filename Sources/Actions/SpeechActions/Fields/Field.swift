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
  package private(set) var option: Option?
  /// The name under which commands remove the value; `nil` for a field that always has one.
  package private(set) var removalName: String?
  package private(set) var jsonKey: String
  package private(set) var condition: FieldCondition?
  /// True for a field that must have a value wherever it applies, and that is always written to the
  /// file.
  package private(set) var isRequired = false
  private let read: @Sendable (Owner) -> SendableValue?
  private let write: @Sendable (inout Owner, SendableValue?) -> Void

  /// Creates a field for a property.
  init<Value: FieldConvertible>(
    _ key: String, _ type: FieldType, _ path: WritableKeyPath<Owner, Value> & Sendable,
    title: String, help: String
  ) {
    self.key = key
    self.type = type
    self.title = title
    self.help = help
    read = { $0[keyPath: path].fieldValue }
    write = { owner, value in
      if let value = Value(fieldValue: value) { owner[keyPath: path] = value }
    }
    let words = key.split(separator: "-")
    let name = words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    jsonKey = if case .duration = type { name + "Milliseconds" } else { name }
    option = Option(name: key, placeholder: type.placeholder)
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

// MARK: Details

extension Field {
  /// The field with another option, or with another placeholder for its value.
  func option(
    _ name: String? = nil, short: Character? = nil, placeholder: String? = nil,
    isFlag: Bool = false
  ) -> Field {
    changed { field in
      field.option = Option(
        name: name ?? key, short: short, placeholder: placeholder ?? type.placeholder,
        isFlag: isFlag)
    }
  }

  func withoutOption() -> Field { changed { $0.option = nil } }

  /// The field with a name under which commands remove its value.
  func removable(as name: String? = nil) -> Field { changed { $0.removalName = name ?? key } }

  func json(_ key: String) -> Field { changed { $0.jsonKey = key } }

  /// The field, which applies only when another one has that value, or any.
  func only(with key: String, _ value: String? = nil) -> Field {
    changed { $0.condition = FieldCondition(key: key, value: value) }
  }

  func required() -> Field { changed { $0.isRequired = true } }

  private func changed(_ change: (inout Field) -> Void) -> Field {
    var field = self
    change(&field)
    return field
  }
}

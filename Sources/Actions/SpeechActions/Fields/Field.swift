/// A setting of a stored type: its key, its help, the values that it accepts, and how it is read
/// and set.
///
/// A type has one table of fields. The configuration file, the options of commands, the form on the
/// console's page and the output of `--json` iterate it, so that they accept and show the same.
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

  /// Another field that decides whether a field applies.
  package struct Condition: Sendable {
    package var key: String
    /// The value that the other field must have; `nil` for any.
    package var value: String?
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
  /// The key in the output of `--json`.
  package private(set) var jsonKey: String
  /// The condition under which the field applies; `nil` for always.
  package private(set) var condition: Condition?
  /// True for a field that must have a value wherever it applies, and that is always written to the
  /// file.
  package private(set) var isRequired = false
  private let read: @Sendable (Owner) -> FieldValue?
  private let write: @Sendable (inout Owner, FieldValue?) -> Void

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - read: returns the value; `nil` where there is none.
  ///   - write: sets a value of the type, or removes it.
  init(
    _ key: String, _ type: FieldType, title: String, help: String,
    read: @escaping @Sendable (Owner) -> FieldValue?,
    write: @escaping @Sendable (inout Owner, FieldValue?) -> Void
  ) {
    self.key = key
    self.type = type
    self.title = title
    self.help = help
    self.read = read
    self.write = write
    jsonKey = Self.jsonKey(of: key, type)
    option = Option(name: key, placeholder: Self.placeholder(of: type))
  }

  /// Returns the value; `nil` where there is none or the field does not apply.
  package func value(of owner: Owner) -> FieldValue? { read(owner) }

  /// Sets the value, or removes it if that is `nil`.
  package func set(_ value: FieldValue?, of owner: inout Owner) throws(FieldError) {
    write(&owner, try value.map { value throws(FieldError) in try type.checked(value) })
  }

  /// Removes the value. Does nothing for a field that always has one.
  package func remove(from owner: inout Owner) { write(&owner, nil) }

  /// `hedge-after` as `hedgeAfterMilliseconds`.
  private static func jsonKey(of key: String, _ type: FieldType) -> String {
    let words = key.split(separator: "-")
    let name = words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    return if case .duration = type { name + "Milliseconds" } else { name }
  }

  private static func placeholder(of type: FieldType) -> String {
    switch type {
    case .text, .choice, .choices, .list: "TEXT"
    case .wholeNumber: "COUNT"
    case .number(let range): "\(Int(range.lowerBound))…\(Int(range.upperBound))"
    case .bool: "on|off"
    case .duration: "TIME"
    case .pairs: "NAME=VALUE"
    case .json: "FILE"
    }
  }
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
        name: name ?? key, short: short,
        placeholder: placeholder ?? Self.placeholder(of: type), isFlag: isFlag)
    }
  }

  /// The field without an option.
  func withoutOption() -> Field { changed { $0.option = nil } }

  /// The field with a name under which commands remove its value.
  func removable(as name: String? = nil) -> Field { changed { $0.removalName = name ?? key } }

  /// The field with another key in the output of `--json`.
  func json(_ key: String) -> Field { changed { $0.jsonKey = key } }

  /// The field, which applies only when another one has that value, or any.
  func only(with key: String, _ value: String? = nil) -> Field {
    changed { $0.condition = Condition(key: key, value: value) }
  }

  func required() -> Field { changed { $0.isRequired = true } }

  private func changed(_ change: (inout Field) -> Void) -> Field {
    var field = self
    change(&field)
    return field
  }
}

// MARK: Fields of stored properties

extension Field {
  static func text(
    _ key: String, _ path: WritableKeyPath<Owner, String> & Sendable, isMultiline: Bool = false,
    title: String, help: String
  ) -> Field {
    Field(key, .text(isMultiline: isMultiline), title: title, help: help) {
      .text($0[keyPath: path])
    } write: { owner, value in
      owner[keyPath: path] = value?.text ?? ""
    }
  }

  static func text(
    _ key: String, _ path: WritableKeyPath<Owner, String?> & Sendable, title: String, help: String
  ) -> Field {
    Field(key, .text(isMultiline: false), title: title, help: help) {
      $0[keyPath: path].map { .text($0) }
    } write: { owner, value in
      owner[keyPath: path] = value?.text.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  static func wholeNumber(
    _ key: String, _ path: WritableKeyPath<Owner, Int> & Sendable, in range: ClosedRange<Int>,
    title: String, help: String
  ) -> Field {
    Field(key, .wholeNumber(range), title: title, help: help) {
      .wholeNumber($0[keyPath: path])
    } write: { owner, value in
      if case .wholeNumber(let number)? = value { owner[keyPath: path] = number }
    }
  }

  static func wholeNumber(
    _ key: String, _ path: WritableKeyPath<Owner, Int?> & Sendable, in range: ClosedRange<Int>,
    title: String, help: String
  ) -> Field {
    Field(key, .wholeNumber(range), title: title, help: help) {
      $0[keyPath: path].map { .wholeNumber($0) }
    } write: { owner, value in
      if case .wholeNumber(let number)? = value {
        owner[keyPath: path] = number
      } else {
        owner[keyPath: path] = nil
      }
    }
  }

  static func number(
    _ key: String, _ path: WritableKeyPath<Owner, Double?> & Sendable,
    in range: ClosedRange<Double>, title: String, help: String
  ) -> Field {
    number(key, in: range, title: title, help: help) {
      $0[keyPath: path]
    } write: { owner, value in
      owner[keyPath: path] = value
    }
  }

  static func number(
    _ key: String, in range: ClosedRange<Double>, title: String, help: String,
    read: @escaping @Sendable (Owner) -> Double?,
    write: @escaping @Sendable (inout Owner, Double?) -> Void
  ) -> Field {
    Field(key, .number(range), title: title, help: help) { owner in
      read(owner).map { .number($0) }
    } write: { owner, value in
      if case .number(let number)? = value { write(&owner, number) } else { write(&owner, nil) }
    }
  }

  static func bool(
    _ key: String, _ path: WritableKeyPath<Owner, Bool> & Sendable, title: String, help: String
  ) -> Field {
    Field(key, .bool, title: title, help: help) {
      .bool($0[keyPath: path])
    } write: { owner, value in
      if case .bool(let value)? = value { owner[keyPath: path] = value }
    }
  }

  static func duration(
    _ key: String, _ path: WritableKeyPath<Owner, Duration> & Sendable, title: String,
    help: String
  ) -> Field {
    Field(key, .duration, title: title, help: help) {
      .duration($0[keyPath: path])
    } write: { owner, value in
      if case .duration(let time)? = value { owner[keyPath: path] = time }
    }
  }

  static func duration(
    _ key: String, _ path: WritableKeyPath<Owner, Duration?> & Sendable, title: String,
    help: String
  ) -> Field {
    Field(key, .duration, title: title, help: help) {
      $0[keyPath: path].map { .duration($0) }
    } write: { owner, value in
      if case .duration(let time)? = value {
        owner[keyPath: path] = time
      } else {
        owner[keyPath: path] = nil
      }
    }
  }

  static func choice<Value: FieldChoices>(
    _ key: String, _: Value.Type, title: String, help: String,
    read: @escaping @Sendable (Owner) -> Value?,
    write: @escaping @Sendable (inout Owner, Value) -> Void
  ) -> Field {
    Field(key, .choice(Value.fieldChoices), title: title, help: help) { owner in
      read(owner).map { .text($0.rawValue) }
    } write: { owner, value in
      if let choice = value?.text.flatMap(Value.init(rawValue:)) { write(&owner, choice) }
    }
  }

  static func choices<Value: FieldChoices>(
    _ key: String, _ path: WritableKeyPath<Owner, [Value]> & Sendable, title: String, help: String
  ) -> Field {
    Field(key, .choices(Value.fieldChoices), title: title, help: help) {
      .list($0[keyPath: path].map(\.rawValue))
    } write: { owner, value in
      owner[keyPath: path] = (value?.list ?? []).compactMap { Value(rawValue: $0) }
    }
  }

  static func list(
    _ key: String, _ path: WritableKeyPath<Owner, [String]> & Sendable, title: String,
    help: String
  ) -> Field {
    Field(key, .list, title: title, help: help) {
      .list($0[keyPath: path])
    } write: { owner, value in
      owner[keyPath: path] = value?.list ?? []
    }
  }

  static func pairs(
    _ key: String, _ path: WritableKeyPath<Owner, [String: String]> & Sendable, title: String,
    help: String
  ) -> Field {
    Field(key, .pairs, title: title, help: help) {
      .pairs($0[keyPath: path])
    } write: { owner, value in
      if case .pairs(let pairs)? = value {
        owner[keyPath: path] = pairs
      } else {
        owner[keyPath: path] = [:]
      }
    }
  }
}

extension FieldValue {
  /// The text, if it is one.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The texts, if it is a list.
  package var list: [String]? { if case .list(let texts) = self { texts } else { nil } }
}

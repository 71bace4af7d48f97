/// A type whose settings are stored, shown and edited.
package protocol FieldTable: Sendable {
  /// The fields, in the order in which they are written and shown.
  static var fields: [Field<Self>] { get }

  /// The noun for one value, like “connector”; also the first part of its path in the file.
  static var noun: String { get }

  var id: String { get }
  var name: String { get }

  /// The errors that concern more than the type and the limits of one field.
  var issues: [FieldIssue] { get }

  /// Creates a value in which all fields have their default values.
  init(defaultsFor id: String)
}

extension FieldTable {
  package static func field(_ key: String) -> Field<Self>? { fields.first { $0.key == key } }

  package func applies(_ field: Field<Self>) -> Bool {
    guard let condition = field.condition, let other = Self.field(condition.key) else {
      return true
    }
    let value = other.value(of: self)
    return condition.value.map { value == .string($0) } ?? (value != nil)
  }

  /// The fields that must have a value and have none.
  package var missingFields: [Field<Self>] {
    Self.fields.filter { field in
      guard field.isRequired, applies(field) else { return false }
      let value = field.value(of: self)
      return value.map { $0.stringValue?.allSatisfy(\.isWhitespace) ?? false } ?? true
    }
  }
}

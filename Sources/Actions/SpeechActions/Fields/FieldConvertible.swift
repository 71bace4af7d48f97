import AIServices

/// A type of property that a field can read and set.
package protocol FieldConvertible: SendableMetatype {
  /// The value for the field; `nil` for none.
  var fieldValue: SendableValue? { get }

  /// Converts a value of the field, which is of its type and within its limits.
  ///
  /// - Parameter fieldValue: The value; `nil` to remove the present one.
  /// - Returns: `nil` if the property keeps its value.
  init?(fieldValue: SendableValue?)
}

extension String: FieldConvertible {
  package var fieldValue: SendableValue? { .string(self) }
  package init?(fieldValue: SendableValue?) { self = fieldValue?.stringValue ?? "" }
}

extension Int: FieldConvertible {
  package var fieldValue: SendableValue? { .int(self) }
  package init?(fieldValue: SendableValue?) {
    guard let number = fieldValue?.intValue else { return nil }
    self = number
  }
}

extension Double: FieldConvertible {
  package var fieldValue: SendableValue? { .double(self) }
  package init?(fieldValue: SendableValue?) {
    guard let number = fieldValue?.doubleValue else { return nil }
    self = number
  }
}

extension Bool: FieldConvertible {
  package var fieldValue: SendableValue? { .bool(self) }
  package init?(fieldValue: SendableValue?) {
    guard let value = fieldValue?.boolValue else { return nil }
    self = value
  }
}

extension Duration: FieldConvertible {
  package var fieldValue: SendableValue? { .string(DurationText.written(self)) }
  package init?(fieldValue: SendableValue?) {
    guard let time = fieldValue?.stringValue.flatMap(DurationText.duration) else { return nil }
    self = time
  }
}

extension SendableValue: FieldConvertible {
  package var fieldValue: SendableValue? { self }
  package init?(fieldValue: SendableValue?) {
    guard let fieldValue else { return nil }
    self = fieldValue
  }
}

extension Array: FieldConvertible where Element: FieldConvertible {
  package var fieldValue: SendableValue? { .array(compactMap(\.fieldValue)) }
  package init?(fieldValue: SendableValue?) {
    self = (fieldValue?.arrayValue ?? []).compactMap { Element(fieldValue: $0) }
  }
}

extension [String: String]: FieldConvertible {
  package var fieldValue: SendableValue? { .dictionary(mapValues { .string($0) }) }
  package init?(fieldValue: SendableValue?) {
    self = (fieldValue?.dictionaryValue ?? [:]).compactMapValues(\.stringValue)
  }
}

extension Optional: FieldConvertible where Wrapped: FieldConvertible {
  package var fieldValue: SendableValue? { flatMap(\.fieldValue) }
  package init?(fieldValue: SendableValue?) {
    // An empty text in a form stands for no value.
    self = fieldValue == "" ? nil : fieldValue.flatMap { Wrapped(fieldValue: $0) }
  }
}

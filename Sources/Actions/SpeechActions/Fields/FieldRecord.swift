import AIServices

extension FieldTable {
  /// The values by field, as forms exchange them: durations as text like `20s`, schemas as text.
  package var form: [String: SendableValue] {
    var form: [String: SendableValue] = ["id": .string(id)]
    for field in Self.fields { form[field.key] = field.value(of: self)?.formValue }
    return form
  }

  /// The values by name, as `--json` writes them: durations in milliseconds, schemas as JSON.
  package var record: [String: SendableValue] {
    var record: [String: SendableValue] = ["id": .string(id)]
    for field in Self.fields { record[field.jsonKey] = field.value(of: self)?.recordValue }
    return record
  }

  /// Creates a value from a form. Fields that do not apply are ignored.
  ///
  /// - Throws: `FieldFormError`.
  package init(_ form: [String: SendableValue], id: String) throws(FieldFormError) {
    self.init(defaultsFor: id)
    for field in Self.fields where applies(field) {
      guard let value = form[field.key], !value.isNull else { continue }
      do throws(FieldError) {
        try field.set(FieldValue(form: value), of: &self)
      } catch {
        throw FieldFormError(message: "“\(field.title)” \(error.message)")
      }
    }
    if let field = missingFields.first {
      throw FieldFormError(message: "“\(field.title)” must not be empty.")
    }
  }
}

/// A value in a form that is not accepted.
package struct FieldFormError: Error, Sendable, Hashable {
  package var message: String
}

extension FieldValue {
  fileprivate init(form value: SendableValue) {
    self =
      switch value {
      case .string(let text): .text(text)
      case .int(let number): .wholeNumber(number)
      case .double(let number): .number(number)
      case .bool(let value): .bool(value)
      case .array(let elements):
        elements.allSatisfy { $0.stringValue != nil }
          ? .list(elements.compactMap(\.stringValue)) : .unsupported("a list of other values")
      case .dictionary(let members):
        members.values.allSatisfy { $0.stringValue != nil }
          ? .pairs(members.compactMapValues(\.stringValue))
          : .unsupported("a table of other values")
      case .null: .unsupported("nothing")
      }
  }

  fileprivate var recordValue: SendableValue {
    switch self {
    case .text(let text): .string(text)
    case .wholeNumber(let number): .int(number)
    case .number(let number): .double(number)
    case .bool(let value): .bool(value)
    case .duration(let time): .int(time.wholeMilliseconds)
    case .list(let texts): .array(texts.map { .string($0) })
    case .pairs(let pairs): .dictionary(pairs.mapValues { .string($0) })
    case .json(let value): value
    case .unsupported: .null
    }
  }

  fileprivate var formValue: SendableValue {
    switch self {
    case .duration(let time): .string(DurationText.written(time))
    case .json(let schema): .string(schema.json(pretty: true))
    default: recordValue
    }
  }
}

import AIServices

extension FieldTable {
  /// The values by field, as forms exchange them: schemas as text.
  package var form: [String: SendableValue] {
    var form: [String: SendableValue] = ["id": .string(id)]
    for field in Self.fields { form[field.key] = field.formValue(of: self) }
    return form
  }

  /// The values by name, as `--json` writes them: times in milliseconds, schemas as JSON.
  package var record: [String: SendableValue] {
    var record: [String: SendableValue] = ["id": .string(id)]
    for field in Self.fields {
      let value = field.value(of: self)
      if case .duration = field.type {
        record[field.jsonKey] = Duration(fieldValue: value).map { .int($0.wholeMilliseconds) }
      } else {
        record[field.jsonKey] = value
      }
    }
    return record
  }

  /// Creates a value from a form. Fields that do not apply are ignored.
  package init(_ form: [String: SendableValue], id: String) throws(FieldFormError) {
    self.init(defaultsFor: id)
    for field in Self.fields where applies(field) {
      guard let value = form[field.key], !value.isNull else { continue }
      do throws(FieldError) {
        try field.set(value, of: &self)
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
package struct FieldFormError: Error {
  package var message: String
}

extension Field {
  /// Returns the value as forms and the configuration file have it.
  func formValue(of owner: Owner) -> SendableValue? {
    let value = value(of: owner)
    return if case .json = type { value.map { .string($0.prettyJSON + "\n") } } else {
      value
    }
  }
}

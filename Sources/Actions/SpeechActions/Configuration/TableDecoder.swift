import AIServices
import SpeechText

/// Reads values from a table, and collects its errors, including settings that do not exist.
struct TableDecoder {
  let table: TOMLDocument.Table
  private(set) var diagnostics: [ConfigurationDiagnostic] = []
  private var knownKeys: [String] = []
  private var invalidKeys: Set<String> = []

  init(_ table: TOMLDocument.Table) {
    self.table = table
  }

  /// Reports an error at the value of a key, or at the table if the key is empty or has no value.
  mutating func report(_ key: String, at position: TextPosition? = nil, _ message: String) {
    let position = position ?? table.entry(key)?.valuePlace ?? table.place
    diagnostics.append(
      ConfigurationDiagnostic(
        line: position.line, column: position.column,
        path: key.isEmpty ? table.name : (table.path + [key]).joined(separator: "."),
        message: message))
  }

  // MARK: Fields

  /// Sets all fields that have an entry.
  mutating func read<Owner: FieldTable>(into owner: inout Owner) {
    for field in Owner.fields {
      if case .pairs = field.type { continue }
      knownKeys.append(field.key)
      guard let entry = table.entry(field.key) else { continue }
      guard owner.applies(field) else {
        reportInapplicable(field)
        continue
      }
      do throws(FieldError) {
        try field.set(FieldValue(entry.value), of: &owner)
      } catch {
        invalidKeys.insert(field.key)
        report(field.key, "It \(error.message)")
      }
    }
  }

  /// Reports fields that must have a value and have none.
  mutating func checkRequired<Owner: FieldTable>(of owner: Owner) {
    for field in owner.missingFields where !invalidKeys.contains(field.key) {
      report(
        field.condition?.key ?? "",
        "The \(Owner.noun) needs a value for “\(field.key)”: \(field.key) = \"…\".")
    }
  }

  private mutating func reportInapplicable<Owner>(_ field: Field<Owner>) {
    guard let condition = field.condition, !invalidKeys.contains(condition.key) else { return }
    let setting = condition.value.map { "\(condition.key) = \"\($0)\"" } ?? condition.key
    report(field.key, "It applies only with \(setting).")
  }

  // MARK: Single values

  mutating func value(_ key: String, _ type: FieldType) -> FieldValue? {
    knownKeys.append(key)
    guard let entry = table.entry(key) else { return nil }
    do throws(FieldError) {
      return try type.checked(FieldValue(entry.value))
    } catch {
      report(key, "It \(error.message)")
      return nil
    }
  }

  /// Reads a table in which every entry is a text.
  mutating func pairs() -> [String: String] {
    var pairs: [String: String] = [:]
    for entry in table.entries {
      pairs[entry.key] = value(entry.key, .text(isMultiline: true))?.text
    }
    return pairs
  }

  /// Reports entries that have not been read.
  mutating func finish() {
    for entry in table.entries where !knownKeys.contains(entry.key) {
      report(
        entry.key, at: entry.place,
        "There is no such setting." + NearestName.advice(on: entry.key, among: knownKeys))
    }
  }
}

extension FieldValue {
  /// The value of an entry of the file.
  init(_ value: TOMLValue) {
    self =
      switch value {
      case .string(let text): .text(text)
      case .int(let number): .wholeNumber(number)
      case .double(let number): .number(number)
      case .bool(let value): .bool(value)
      case .array(let elements):
        Self.list(elements)
      }
  }

  private static func list(_ elements: [TOMLValue]) -> FieldValue {
    let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == elements.count ? .list(texts) : .unsupported("a list of other values")
  }

  /// The value as an entry of the file; `nil` for a table.
  var toml: TOMLValue? {
    switch self {
    case .text(let text): .string(text)
    case .wholeNumber(let number): .int(number)
    case .number(let number): .double(number)
    case .bool(let value): .bool(value)
    case .duration(let time): .string(DurationText.written(time))
    case .list(let texts): .strings(texts)
    case .json(let value): .string(value.json(pretty: true) + "\n")
    case .pairs, .unsupported: nil
    }
  }
}

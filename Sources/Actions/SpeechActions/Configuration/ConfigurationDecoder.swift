import AIServices
import SpeechText

/// Reads a configuration from a file, and finds all errors in it.
struct ConfigurationDecoder {
  /// The version of the format that is written. A file without a version has this one.
  static let version = 1

  private let document: TOMLDocument
  private var diagnostics: [ConfigurationDiagnostic]
  private var connectors: [Connector] = []
  private var actions: [TextAction] = []

  /// - Throws: `ActionError.configuration` with all errors, in the order of the file.
  static func configuration(in text: String) throws(ActionError) -> ActionConfiguration {
    let document = TOMLDocument(text)
    // A later format may have another meaning, so nothing else is reported.
    if let later = laterVersion(of: document) { throw .configuration([later]) }
    var decoder = ConfigurationDecoder(document)
    let configuration = decoder.decode()
    guard decoder.diagnostics.isEmpty else {
      throw .configuration(decoder.diagnostics.sorted { $0.place < $1.place })
    }
    return configuration
  }

  private static func laterVersion(of document: TOMLDocument) -> ConfigurationDiagnostic? {
    guard document.diagnostics.isEmpty, let entry = document.tables[0].entry("version"),
      case .int(let number) = entry.value, number > version
    else { return nil }
    return ConfigurationDiagnostic(
      line: entry.valuePlace.line, column: entry.valuePlace.column, path: "version",
      message:
        "The file has version \(number), and this program reads up to version \(version). Update "
        + "SpeechKit.")
  }

  private init(_ document: TOMLDocument) {
    self.document = document
    diagnostics = document.diagnostics
  }

  private mutating func decode() -> ActionConfiguration {
    let root = document.tables[0]
    _ = value("version", .wholeNumber(0...Self.version), in: root)
    let defaultID = value("default", .text(), in: root)?.stringValue
    reportUnknown(in: root, known: ["version", "default"])
    for table in document.tables.dropFirst() { read(table) }
    checkNames(of: actions)
    checkNames(of: connectors)
    checkReferences()
    var library = ActionLibrary.builtIn
    if !actions.isEmpty {
      library = ActionLibrary()
      // Actions that cannot be added have been reported by `checkNames`.
      for action in actions { try? library.add(action) }
    }
    if let defaultID {
      do throws(ActionError) {
        try library.makeDefault(defaultID)
      } catch {
        report("default", in: root, error.errorDescription ?? "")
      }
    }
    return ActionConfiguration(actions: library, connectors: connectors)
  }

  // MARK: Tables

  private mutating func read(_ table: TOMLDocument.Table) {
    switch (table.path.first, table.path.count, table.path.last) {
    case (Connector.noun, 2, _): connectors.append(decode(table))
    case (TextAction.noun, 2, _): actions.append(decode(table))
    case (Connector.noun, 3, "headers"), (TextAction.noun, 3, "variables"):
      guard document.table(Array(table.path.prefix(2))) == nil else { return }
      report(
        "", in: table,
        "It belongs to [\(table.path.prefix(2).joined(separator: "."))], which does not exist.")
    default:
      report(
        "", in: table,
        "There is no table of that name. There are [connector.NAME], [connector.NAME.headers], "
          + "[action.NAME] and [action.NAME.variables].")
    }
  }

  private mutating func decode<Owner: FieldTable>(_ table: TOMLDocument.Table) -> Owner {
    let id = table.path.last ?? ""
    if !Identifier.isValid(id) {
      report(
        "", in: table,
        "“\(id)” is not a valid name. Use letters, digits, - and _, like "
          + "“\(Identifier.made(from: id))”.")
    }
    var owner = Owner(defaultsFor: id)
    var known: [String] = []
    var invalid: Set<String> = []
    for field in Owner.fields {
      if case .pairs = field.type {
        readPairs(of: field, in: table, into: &owner)
        continue
      }
      known.append(field.key)
      guard let entry = table.entry(field.key) else { continue }
      if !owner.applies(field), let condition = field.condition {
        guard !invalid.contains(condition.key) else { continue }
        let setting = condition.value.map { "\(condition.key) = \"\($0)\"" } ?? condition.key
        report(field.key, in: table, "It applies only with \(setting).")
        continue
      }
      do throws(FieldError) {
        try field.set(entry.value, of: &owner)
      } catch {
        invalid.insert(field.key)
        report(field.key, in: table, "It \(error.message)")
      }
    }
    for field in owner.missingFields where !invalid.contains(field.key) {
      report(
        field.condition?.key ?? "", in: table,
        "The \(Owner.noun) needs a value for “\(field.key)”: \(field.key) = \"…\".")
    }
    reportUnknown(in: table, known: known)
    for issue in owner.issues { report(issue, in: table) }
    return owner
  }

  private mutating func readPairs<Owner>(
    of field: Field<Owner>, in table: TOMLDocument.Table, into owner: inout Owner
  ) {
    guard let part = document.table(table.path + [field.key]) else { return }
    var pairs: [String: SendableValue] = [:]
    for entry in part.entries {
      pairs[entry.key] = value(entry.key, .text(isMultiline: true), in: part)
    }
    try? field.set(.dictionary(pairs), of: &owner)
  }

  private mutating func value(
    _ key: String, _ type: FieldType, in table: TOMLDocument.Table
  ) -> SendableValue? {
    guard let entry = table.entry(key) else { return nil }
    do throws(FieldError) {
      return try type.checked(entry.value)
    } catch {
      report(key, in: table, "It \(error.message)")
      return nil
    }
  }

  // MARK: Errors

  /// Reports an error at the value of a key, or at the table if the key is empty or has no value.
  private mutating func report(
    _ key: String, in table: TOMLDocument.Table, at position: TextPosition? = nil,
    _ message: String
  ) {
    let position = position ?? table.entry(key)?.valuePlace ?? table.place
    diagnostics.append(
      ConfigurationDiagnostic(
        line: position.line, column: position.column,
        path: key.isEmpty ? table.name : (table.path + [key]).joined(separator: "."),
        message: message))
  }

  private mutating func report(_ issue: FieldIssue, in table: TOMLDocument.Table) {
    if let name = issue.name, let part = document.table(table.path + [issue.key]) {
      report(name, in: part, issue.message)
    } else if let position = issue.position, let entry = table.entry(issue.key) {
      if let first = entry.firstLine {
        let position = TextPosition(line: first + position.line - 1, column: position.column)
        report(issue.key, in: table, at: position, issue.message)
      } else {
        report(
          issue.key, in: table,
          "In the template at \(position.line):\(position.column): \(issue.message)")
      }
    } else {
      report(issue.key, in: table, issue.message)
    }
  }

  private mutating func reportUnknown(in table: TOMLDocument.Table, known: [String]) {
    for entry in table.entries where !known.contains(entry.key) {
      report(
        entry.key, in: table, at: entry.place,
        "There is no such setting." + NearestName.advice(on: entry.key, among: known))
    }
  }

  // MARK: Several tables

  private mutating func checkNames<Owner: FieldTable>(of owners: [Owner]) {
    var known: [String: String] = [:]
    for owner in owners {
      guard let table = document.table([Owner.noun, owner.id]) else { continue }
      if let other = known[owner.name.lowercased()] {
        report(
          "name", in: table,
          "“\(owner.name)” is already the name of [\(Owner.noun).\(other)]. Choose another name.")
      }
      known[owner.name.lowercased()] = owner.id
    }
  }

  private mutating func checkReferences() {
    let ids = connectors.map(\.id)
    for action in actions {
      guard let table = document.table([TextAction.noun, action.id]) else { continue }
      for id in action.routing.connectors where !ids.contains(id) {
        report(
          "connectors", in: table,
          "There is no connector “\(id)”." + NearestName.advice(on: id, among: ids))
      }
    }
  }
}

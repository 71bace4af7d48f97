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
    var root = TableDecoder(document.tables[0])
    _ = root.value("version", .wholeNumber(0...Self.version))
    let defaultID = root.value("default", .text(isMultiline: false))?.text
    root.finish()
    diagnostics += root.diagnostics
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
        var root = TableDecoder(document.tables[0])
        root.report("default", error.errorDescription ?? "")
        diagnostics += root.diagnostics
      }
    }
    return ActionConfiguration(actions: library, connectors: connectors)
  }

  private mutating func read(_ table: TOMLDocument.Table) {
    switch (table.path.first, table.path.count, table.path.last) {
    case ("connector", 2, _): connectors.append(decode(table) { $0.issues })
    case ("action", 2, _): actions.append(decode(table) { $0.issues })
    case ("connector", 3, "headers"), ("action", 3, "variables"):
      guard document.table(Array(table.path.prefix(2))) == nil else { return }
      report(
        table,
        "It belongs to [\(table.path.prefix(2).joined(separator: "."))], which does not exist.")
    default:
      report(
        table,
        "There is no table of that name. There are [connector.NAME], [connector.NAME.headers], "
          + "[action.NAME] and [action.NAME.variables].")
    }
  }

  private mutating func report(_ table: TOMLDocument.Table, _ message: String) {
    var decoder = TableDecoder(table)
    decoder.report("", message)
    diagnostics += decoder.diagnostics
  }

  private mutating func decode<Owner: FieldTable>(
    _ table: TOMLDocument.Table, issues: (Owner) -> [FieldIssue]
  ) -> Owner {
    var decoder = TableDecoder(table)
    let id = table.path.last ?? ""
    if !Identifier.isValid(id) {
      decoder.report(
        "",
        "“\(id)” is not a valid name. Use letters, digits, - and _, like "
          + "“\(Identifier.made(from: id))”."
      )
    }
    var owner = Owner(defaultsFor: id)
    decoder.read(into: &owner)
    decoder.checkRequired(of: owner)
    decoder.finish()
    diagnostics += decoder.diagnostics
    for field in Owner.fields {
      if case .pairs = field.type { readPairs(of: field, in: table, into: &owner) }
    }
    for issue in issues(owner) { report(issue, in: table) }
    return owner
  }

  private mutating func readPairs<Owner>(
    of field: Field<Owner>, in table: TOMLDocument.Table, into owner: inout Owner
  ) {
    guard let part = document.table(table.path + [field.key]) else { return }
    var decoder = TableDecoder(part)
    let pairs = decoder.pairs()
    diagnostics += decoder.diagnostics
    try? field.set(.pairs(pairs), of: &owner)
  }

  private mutating func report(_ issue: FieldIssue, in table: TOMLDocument.Table) {
    var decoder = TableDecoder(table)
    if let name = issue.name, let part = document.table(table.path + [issue.key]) {
      decoder = TableDecoder(part)
      decoder.report(name, issue.message)
    } else if let position = issue.position, let entry = table.entry(issue.key) {
      if let first = entry.firstLine {
        let position = TextPosition(line: first + position.line - 1, column: position.column)
        decoder.report(issue.key, at: position, issue.message)
      } else {
        decoder.report(
          issue.key, "In the template at \(position.line):\(position.column): \(issue.message)")
      }
    } else {
      decoder.report(issue.key, issue.message)
    }
    diagnostics += decoder.diagnostics
  }

  // MARK: Several tables

  private mutating func checkNames<Owner: FieldTable>(of owners: [Owner]) {
    var known: [String: String] = [:]
    for owner in owners {
      guard let table = document.table([Owner.noun, owner.id]) else { continue }
      if let other = known[owner.name.lowercased()] {
        var decoder = TableDecoder(table)
        decoder.report(
          "name",
          "“\(owner.name)” is already the name of [\(Owner.noun).\(other)]. Choose another name.")
        diagnostics += decoder.diagnostics
      }
      known[owner.name.lowercased()] = owner.id
    }
  }

  private mutating func checkReferences() {
    let ids = connectors.map(\.id)
    for action in actions {
      guard let table = document.table([TextAction.noun, action.id]) else { continue }
      var decoder = TableDecoder(table)
      for id in action.routing.connectors where !ids.contains(id) {
        decoder.report(
          "connectors",
          "There is no connector “\(id)”." + NearestName.advice(on: id, among: ids))
      }
      diagnostics += decoder.diagnostics
    }
  }
}

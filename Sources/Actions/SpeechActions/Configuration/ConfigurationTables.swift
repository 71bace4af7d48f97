/// A configuration as tables of values, in the order in which a file has them. Default values are
/// omitted.
struct ConfigurationTables: Sendable, Hashable {
  private(set) var tables: [TOMLTable] = []

  subscript(path: [String]) -> TOMLTable? { tables.first { $0.path == path } }

  var paths: [[String]] { tables.map(\.path) }

  var byPath: [[String]: TOMLTable] { Dictionary(tables.map { ($0.path, $0) }) { $1 } }

  /// No tables.
  init() {}

  /// The tables of a configuration.
  init(_ configuration: ActionConfiguration) {
    var root = TOMLTable([])
    root["version"] = .int(ConfigurationDecoder.version)
    let library = configuration.actions
    if let id = library.defaultID { root["default"] = .string(id) }
    tables = [root]
    for connector in configuration.connectors { add(connector) }
    for action in library.all { add(action) }
  }

  mutating func removeAll(where isRemoved: (TOMLTable) -> Bool) {
    tables.removeAll(where: isRemoved)
  }

  private mutating func add<Owner: FieldTable>(_ owner: Owner) {
    let path = [Owner.noun, owner.id]
    let standard = Owner(defaultsFor: owner.id)
    var table = TOMLTable(path)
    var parts: [TOMLTable] = []
    for field in Owner.fields {
      guard let value = field.value(of: owner) else { continue }
      if case .pairs(let pairs) = value {
        if !pairs.isEmpty { parts.append(Self.table(path + [field.key], pairs)) }
        continue
      }
      let defaultValue = field.value(of: standard)
      let isDefault = value == defaultValue || defaultValue == nil && value.isBlank
      if field.isRequired || !isDefault { table[field.key] = value.toml }
    }
    tables.append(table)
    tables += parts
  }

  private static func table(_ path: [String], _ pairs: [String: String]) -> TOMLTable {
    var table = TOMLTable(path)
    for (name, text) in pairs.sorted(by: { $0.key < $1.key }) { table[name] = .string(text) }
    return table
  }
}

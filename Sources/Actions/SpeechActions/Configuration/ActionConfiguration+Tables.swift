import AIServices

extension ActionConfiguration {
  /// The configuration as tables, in the order in which a file has them. Default values are
  /// omitted.
  var tables: [TOMLTable] {
    var root = TOMLTable(path: [])
    root.entries = [.init(key: "version", value: .int(ConfigurationDecoder.version))]
    if let id = actions.defaultID {
      root.entries.append(.init(key: "default", value: .string(id)))
    }
    return [root] + connectors.flatMap(Self.tables) + actions.all.flatMap(Self.tables)
  }

  private static func tables<Owner: FieldTable>(of owner: Owner) -> [TOMLTable] {
    let standard = Owner(defaultsFor: owner.id)
    var tables = [TOMLTable(path: [Owner.noun, owner.id])]
    for field in Owner.fields {
      guard let value = field.formValue(of: owner) else { continue }
      if case .dictionary(let pairs) = value {
        guard !pairs.isEmpty else { continue }
        tables.append(
          TOMLTable(
            path: tables[0].path + [field.key],
            entries: pairs.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) }))
        continue
      }
      let defaultValue = field.formValue(of: standard)
      let isDefault = value == defaultValue || defaultValue == nil && value.isBlank
      if field.isRequired || !isDefault {
        tables[0].entries.append(.init(key: field.key, value: value))
      }
    }
    return tables
  }
}

extension SendableValue {
  /// True for a value that says no more than no value would.
  fileprivate var isBlank: Bool { self == "" || self == false || self == [] }
}

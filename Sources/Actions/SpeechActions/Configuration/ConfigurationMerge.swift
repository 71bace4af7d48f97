/// Brings together what two sides made of the same configuration.
enum ConfigurationMerge {
  /// What theirs becomes with the changes that lead from base to mine.
  ///
  /// - Throws: `ActionError.conflict` naming what both changed in different ways.
  static func merged(
    base: FlatConfiguration, mine: FlatConfiguration, theirs: FlatConfiguration
  ) throws(ActionError) -> FlatConfiguration {
    var result = theirs
    let (old, new, others) = (base.byPath, mine.byPath, theirs.byPath)
    var conflicts: [String] = []
    for path in base.paths where new[path] == nil && !path.isEmpty {
      // Mine took the table away.
      guard let other = others[path] else { continue }
      if other.values == old[path]?.values {
        result.tables.removeAll { $0.path == path }
      } else {
        conflicts.append(path.joined(separator: "."))
      }
    }
    for table in mine.tables {
      let old = old[table.path]
      let changed = table.values != old?.values
      guard changed else { continue }
      let index = result.tables.firstIndex { $0.path == table.path }
      guard let index else {
        if old == nil || others[table.path] != nil {
          result.insert(table, after: mine)
        } else {
          // Theirs took away what mine changed.
          conflicts.append(table.path.joined(separator: "."))
        }
        continue
      }
      let keys = Set(table.values.keys).union(old?.values.keys ?? [:].keys)
      for key in keys.sorted() where table[key] != old?[key] {
        let present = result.tables[index][key]
        if present == table[key] { continue }
        guard present == old?[key] else {
          conflicts.append((table.path + [key]).joined(separator: "."))
          continue
        }
        result.tables[index][key] = table[key]
      }
    }
    guard conflicts.isEmpty else { throw .conflict(conflicts) }
    result.arrange(like: mine, unlike: base)
    return result
  }
}

extension FlatConfiguration {
  /// Adds a table behind the one that it stands behind in another configuration.
  fileprivate mutating func insert(_ table: Table, after order: FlatConfiguration) {
    let before = order.tables.prefix { $0.path != table.path }.map(\.path)
    let neighbour = before.last { self[$0] != nil }
    let place = tables.firstIndex { $0.path == neighbour }
    tables.insert(table, at: place.map { $0 + 1 } ?? min(1, tables.count))
  }

  /// Takes over the order of the other, if that is not the one it began with.
  fileprivate mutating func arrange(like mine: FlatConfiguration, unlike base: FlatConfiguration) {
    let (old, new, present) = (base.byPath, mine.byPath, byPath)
    let shared = mine.paths.filter { old[$0] != nil }
    guard shared != base.paths.filter({ new[$0] != nil }) else { return }
    let kept = Set(shared)
    let places = tables.indices.filter { kept.contains(tables[$0].path) }
    let wanted = shared.compactMap { present[$0] }
    guard places.count == wanted.count else { return }
    for (place, table) in zip(places, wanted) { tables[place] = table }
  }
}

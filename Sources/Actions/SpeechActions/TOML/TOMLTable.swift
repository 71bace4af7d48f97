/// A table to be written: its path and its values, in order.
struct TOMLTable: Sendable, Hashable {
  var path: [String]
  private(set) var values: [String: TOMLValue] = [:]
  /// The order in which values are written.
  private(set) var keys: [String] = []

  init(_ path: [String]) {
    self.path = path
  }

  subscript(key: String) -> TOMLValue? {
    get { values[key] }
    set {
      if newValue == nil { keys.removeAll { $0 == key } }
      if newValue != nil, values[key] == nil { keys.append(key) }
      values[key] = newValue
    }
  }

  /// True for the table of an action or a connector, false for a table within one.
  var isMain: Bool { path.count == 2 }
}

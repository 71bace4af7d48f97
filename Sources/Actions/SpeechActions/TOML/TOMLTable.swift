import AIServices

/// A table to be written: its path and its values, in order.
struct TOMLTable: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var key: String
    var value: SendableValue
  }

  var path: [String]
  var entries: [Entry] = []

  subscript(key: String) -> SendableValue? { entries.first { $0.key == key }?.value }

  /// True for the table of an action or a connector, false for a table within one.
  var isMain: Bool { path.count == 2 }
}

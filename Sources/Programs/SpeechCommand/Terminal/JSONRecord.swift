import Foundation

/// An object of JSON, with its fields as they are named in the help. Those that are `nil` are left
/// out.
package struct JSONRecord: Encodable, Sendable, ExpressibleByDictionaryLiteral {
  private struct Field: Encodable {
    var value: any Encodable

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private let fields: [String: any Encodable & Sendable]

  package init(dictionaryLiteral fields: (String, (any Encodable & Sendable)?)...) {
    self.fields = fields.reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  package func encode(to encoder: any Encoder) throws {
    try fields.mapValues(Field.init).encode(to: encoder)
  }
}

/// JSON for programs: one line per value, with sorted keys.
package enum JSONText {
  package static func line(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}

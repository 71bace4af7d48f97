import Foundation

/// A JSON value that may cross from one task to another.
public enum SendableValue: Sendable, Hashable {
  /// Text.
  case string(String)
  /// A whole number.
  case int(Int)
  /// Any other number.
  case double(Double)
  /// True or false.
  case bool(Bool)
  /// Nothing.
  case null
  /// Values in order.
  case array([SendableValue])
  /// Values by name.
  case dictionary([String: SendableValue])

  /// The text, if it is text.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The whole number, if it is one.
  public var intValue: Int? {
    if case .int(let value) = self { value } else { nil }
  }

  /// The number, if it is one.
  public var doubleValue: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }

  /// Whether it is true, if it is true or false.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements, if it is an array.
  public var arrayValue: [SendableValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members, if it is a dictionary.
  public var dictionaryValue: [String: SendableValue]? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// Whether it is nothing.
  public var isNull: Bool { self == .null }
}

extension SendableValue: Codable {
  /// How deep values may be nested. Each level takes several kilobytes of the stack, which a hostile server
  /// would otherwise exhaust.
  private static let deepest = 64

  /// Reads any JSON value that is not nested too deep.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.deepest else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "nested deeper than \(Self.deepest) levels"))
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([SendableValue].self) {
      self = .array(value)
    } else {
      self = .dictionary(try container.decode([String: SendableValue].self))
    }
  }

  /// Writes the value as JSON.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .null: try container.encodeNil()
    case .array(let value): try container.encode(value)
    case .dictionary(let value): try container.encode(value)
    }
  }
}

extension SendableValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Values in order.
  public init(arrayLiteral elements: SendableValue...) { self = .array(elements) }
  /// Values by name; of two with one name the last counts.
  public init(dictionaryLiteral elements: (String, SendableValue)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
  /// Nothing.
  public init(nilLiteral: ()) { self = .null }
}

extension SendableValue {
  /// The value as JSON: the same text for the same value.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    // Numbers that are not numbers have no place in JSON.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

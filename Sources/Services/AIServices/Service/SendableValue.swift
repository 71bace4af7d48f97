import Foundation

/// A JSON value that is `Sendable`.
public enum SendableValue: Sendable, Hashable {
  /// A JSON string value.
  case string(String)
  /// A number without fraction.
  case int(Int)
  /// A number with a fraction or exponent.
  case double(Double)
  /// A JSON Boolean value.
  case bool(Bool)
  /// The JSON value `null`.
  case null
  /// Values in their order.
  case array([SendableValue])
  /// Values by their names.
  case dictionary([String: SendableValue])

  /// The string; `nil` for other values.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The integer; `nil` for other values.
  public var intValue: Int? {
    if case .int(let value) = self { value } else { nil }
  }

  /// The number; `nil` for other values.
  public var doubleValue: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }

  /// The Boolean value; `nil` for other values.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements; `nil` for other values.
  public var arrayValue: [SendableValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members; `nil` for other values.
  public var dictionaryValue: [String: SendableValue]? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// True for the JSON value `null`.
  public var isNull: Bool { self == .null }
}

extension SendableValue: Codable {
  /// The maximum depth of nesting. Each level takes several kilobytes of the stack, which a hostile
  /// server could exhaust otherwise.
  private static let depthLimit = 64

  /// Decodes any JSON value up to a maximum depth.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.depthLimit else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "nested deeper than \(Self.depthLimit) levels"))
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

  /// Encodes the value as JSON.
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
  /// Creates a string value.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer value.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Creates a number value.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an array value.
  public init(arrayLiteral elements: SendableValue...) { self = .array(elements) }
  /// Creates a dictionary value; the last of several equal names counts.
  public init(dictionaryLiteral elements: (String, SendableValue)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
  /// Creates a null value.
  public init(nilLiteral: ()) { self = .null }
}

extension SendableValue {
  /// The value as JSON: equal values have equal texts.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    // JSON has no infinities and no NaN.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

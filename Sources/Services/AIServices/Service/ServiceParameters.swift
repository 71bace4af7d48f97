/// Reads the typed parameters of a `generate` call from a dictionary.
///
/// A value of another type, out of range or unknown is an error.
///
/// ```swift
/// var parameters = ServiceParameters(dictionary)
/// let model = try parameters.string("model") ?? "tiny"
/// let temperature = try parameters.number("temperature", in: 0...2)
/// try parameters.finish()
/// ```
public struct ServiceParameters {
  private let values: [String: Any]
  private var known: Set<String> = []

  /// Creates a reader for the parameters of a call.
  public init(_ values: [String: Any]) {
    self.values = values
  }

  /// Reads an optional string.
  public mutating func string(_ name: String) throws(AIServiceError) -> String? {
    try value(name, "a text") { $0 as? String }
  }

  /// Reads an optional number, with or without a fraction.
  public mutating func number(
    _ name: String, in range: ClosedRange<Double>? = nil
  ) throws(AIServiceError) -> Double? {
    let number = try value(name, "a number") { value -> Double? in
      switch value {
      case is Bool: nil
      case let value as Double: value
      case let value as Float: Double(value)
      case let value as any BinaryInteger: Double(value)
      default: nil
      }
    }
    return try checked(name, number, in: range)
  }

  /// Reads an optional integer within a range.
  public mutating func integer(
    _ name: String, in range: ClosedRange<Int>? = nil
  ) throws(AIServiceError) -> Int? {
    let number = try value(name, "a whole number") { value -> Int? in
      switch value {
      case is Bool: nil
      case let value as any BinaryInteger: Int(exactly: value)
      case let value as Double: Int(exactly: value)
      default: nil
      }
    }
    return try checked(name, number, in: range)
  }

  /// Reads an optional Boolean value.
  public mutating func flag(_ name: String) throws(AIServiceError) -> Bool? {
    try value(name, "true or false") { $0 as? Bool }
  }

  /// Reads a list of strings; a single string counts as a list of one.
  public mutating func strings(_ name: String) throws(AIServiceError) -> [String]? {
    try value(name, "a list of texts") { value -> [String]? in
      (value as? [String]) ?? (value as? String).map { [$0] }
    }
  }

  /// Reads an optional JSON object, such as a schema.
  public mutating func object(_ name: String) throws(AIServiceError) -> SendableValue? {
    try value(name, "a JSON object") { raw -> SendableValue? in
      let json = SendableValue(json: raw)
      return json?.dictionaryValue == nil ? nil : json
    }
  }

  /// Checks that all parameters have been read.
  ///
  /// - Throws: `AIServiceError.invalidRequest` with the unknown names.
  public func finish() throws(AIServiceError) {
    let unknown = values.keys.filter { !known.contains($0) }.sorted()
    guard !unknown.isEmpty else { return }
    throw .invalidRequest(
      "Unknown parameter \(unknown.map { "“\($0)”" }.joined(separator: ", ")). Known are "
        + "\(known.sorted().joined(separator: ", ")).")
  }

  private func checked<Number>(
    _ name: String, _ number: Number?, in range: ClosedRange<Number>?
  ) throws(AIServiceError) -> Number? {
    guard let number, let range, !range.contains(number) else { return number }
    throw .invalidRequest(
      "The parameter “\(name)” must be from \(range.lowerBound) to \(range.upperBound), but is "
        + "\(number).")
  }

  private mutating func value<Value>(
    _ name: String, _ description: String, _ read: (Any) -> Value?
  ) throws(AIServiceError) -> Value? {
    known.insert(name)
    guard let raw = values[name] else { return nil }
    guard let value = read(raw) else {
      throw .invalidRequest(
        "The parameter “\(name)” must be \(description), but is of type \(type(of: raw)).")
    }
    return value
  }
}

import Foundation

/// A time that is coded as a number of seconds; zero where none is given.
@propertyWrapper
public struct Seconds: Sendable, Hashable {
  /// The time, exact to a microsecond.
  public var wrappedValue: Duration

  /// Creates a wrapper of a time.
  public init(wrappedValue: Duration) {
    self.wrappedValue = wrappedValue
  }
}

extension Seconds: Codable {
  /// Decodes a number of seconds.
  public init(from decoder: any Decoder) throws {
    let seconds = try decoder.singleValueContainer().decode(Double.self)
    guard (0...1e9).contains(seconds) else {
      throw decoder.error("A time is a number of seconds, 0 or more.")
    }
    self.init(wrappedValue: .microseconds(Int64((seconds * 1e6).rounded())))
  }

  /// Encodes a number of seconds.
  public func encode(to encoder: any Encoder) throws {
    let (seconds, attoseconds) = wrappedValue.components
    var container = encoder.singleValueContainer()
    try container.encode((Double(seconds) * 1e6 + Double(attoseconds / 1_000_000_000_000)) / 1e6)
  }
}

/// Bytes that are coded as text if an editor can show them, else as base 64 in an object.
@propertyWrapper
public struct ReadableBytes: Sendable, Hashable {
  /// The bytes themselves.
  public var wrappedValue: Data

  /// Creates a wrapper of bytes.
  public init(wrappedValue: Data) {
    self.wrappedValue = wrappedValue
  }
}

extension ReadableBytes: Codable {
  private enum CodingKeys: String, CodingKey { case base64 }

  /// Decodes a text, or an object with base 64.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(wrappedValue: Data(text.utf8))
    } else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(wrappedValue: try container.decode(Data.self, forKey: .base64))
    }
  }

  /// Encodes a text, or an object with base 64.
  public func encode(to encoder: any Encoder) throws {
    let data = wrappedValue
    let isShown = data.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    if isShown, let text = String(validating: data, as: UTF8.self) {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(data, forKey: .base64)
    }
  }
}

// The synthesised coding of a wrapped property calls these instead of the generic functions.
extension KeyedDecodingContainer {
  func decode(_ type: Seconds.Type, forKey key: Key) throws -> Seconds {
    try decodeIfPresent(Seconds.self, forKey: key) ?? Seconds(wrappedValue: .zero)
  }
}

extension Decoder {
  /// Looks up the word that is coded here.
  func value<Value>(in words: [String: Value]) throws -> Value {
    let word = try singleValueContainer().decode(String.self)
    guard let value = words[word] else {
      let known = words.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")
      throw error("“\(word)” is not one of \(known).")
    }
    return value
  }

  func error(_ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
  }
}

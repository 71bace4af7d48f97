/// A reading of bytes in which the escapes of URLs (`%2F`) and JSON (`\u002f`, `\/`) are decoded,
/// with the original position of each byte.
package struct EscapedBytes {
  /// The maximum depth of nested escapes: JSON in JSON, a URL in a URL.
  private static let depthLimit = 4
  /// The bytes that JSON writes as a backslash and a letter.
  private static let escapes = Dictionary(
    uniqueKeysWithValues: zip("\"\\/nrtbf".utf8, "\"\\/\n\r\t\u{8}\u{C}".utf8))

  /// The decoded bytes.
  package private(set) var bytes: [UInt8]
  /// The original positions of each byte and of the end; `nil` if they are unchanged.
  private var starts: [Int]?

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The original bytes, then with escapes decoded, then with the escapes revealed by that decoded,
  /// and so on.
  package static func readings(of bytes: [UInt8]) -> [EscapedBytes] {
    var readings = [EscapedBytes(bytes)]
    while readings.count <= depthLimit, let next = readings[readings.count - 1].unescaped() {
      readings.append(next)
    }
    return readings
  }

  /// The original range of a decoded range, with whole escapes.
  package func original(_ range: Range<Int>) -> Range<Int> {
    guard let starts, !range.isEmpty else { return range }
    var end = range.upperBound
    // An escape may stand for several bytes, all of which start at its position.
    while end < bytes.count, starts[end] == starts[range.upperBound - 1] { end += 1 }
    return starts[range.lowerBound]..<starts[end]
  }

  private func unescaped() -> EscapedBytes? {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }) else {
      return nil
    }
    var result = EscapedBytes([])
    var places: [Int] = []
    result.bytes.reserveCapacity(bytes.count)
    places.reserveCapacity(bytes.count + 1)
    var index = 0
    var found = false
    while index < bytes.count {
      let place = starts?[index] ?? index
      if let (meaning, length) = escape(at: index) {
        found = true
        for byte in meaning {
          result.bytes.append(byte)
          places.append(place)
        }
        index += length
      } else {
        result.bytes.append(bytes[index])
        places.append(place)
        index += 1
      }
    }
    guard found else { return nil }
    places.append(starts?[bytes.count] ?? bytes.count)
    result.starts = places
    return result
  }

  /// The meaning and the length of an escape.
  private func escape(at index: Int) -> ([UInt8], Int)? {
    switch bytes[index] {
    case UInt8(ascii: "%"):
      return number(at: index + 1, digits: 2).map { ([UInt8($0)], 3) }
    case UInt8(ascii: "\\"):
      guard index + 1 < bytes.count else { return nil }
      if bytes[index + 1] == UInt8(ascii: "u") { return codePoint(at: index + 2) }
      return Self.escapes[bytes[index + 1]].map { ([$0], 2) }
    default: return nil
    }
  }

  private func codePoint(at index: Int) -> ([UInt8], Int)? {
    guard let first = number(at: index, digits: 4) else { return nil }
    if let scalar = Unicode.Scalar(UInt32(first)) { return (Array(String(scalar).utf8), 6) }
    guard (0xD800..<0xDC00).contains(first), index + 5 < bytes.count,
      bytes[index + 4] == UInt8(ascii: "\\"), bytes[index + 5] == UInt8(ascii: "u"),
      let second = number(at: index + 6, digits: 4), (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(
        UInt32(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)))
    else { return nil }
    return (Array(String(scalar).utf8), 12)
  }

  private func number(at index: Int, digits: Int) -> Int? {
    guard index + digits <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[index..<index + digits] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      number = number << 4 | digit
    }
    return number
  }
}

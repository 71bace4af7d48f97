import Foundation

/// A line of a JSON Lines file, whose values know their position.
package struct JSONLine {
  package indirect enum Content {
    case text(String)
    /// A number, as the digits of the file.
    case number(String)
    case array([Value])
    case object([Member])
    /// `true`, `false` or `null`.
    case word(String)

    package var kind: String {
      switch self {
      case .text: "a text"
      case .number: "a number"
      case .array: "a list"
      case .object: "an object"
      case .word(let word): "“\(word)”"
      }
    }
  }

  package struct Value {
    package var content: Content
    /// The beginning of the value, in bytes from the beginning of the line.
    package var offset: Int
  }

  package struct Member {
    package var name: String
    package var offset: Int
    package var value: Value
  }

  package struct ParseError: Error {
    package var offset: Int
    package var message: String

    package init(offset: Int, message: String) {
      self.offset = offset
      self.message = message
    }
  }

  /// Deeper than any format of this package, and shallow enough for the stack.
  private static let deepest = 16

  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Splits data into lines, without blank ones, each with its number, counted from 1.
  package static func lines(in data: Data) -> [(number: Int, bytes: [UInt8])] {
    data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .filter { !$0.element.allSatisfy { " \t\r".utf8.contains($0) } }
      .map { ($0.offset + 1, Array($0.element)) }
  }

  /// The column of a byte of the line, counted from 1 in code points.
  package static func column(at offset: Int, in line: [UInt8]) -> Int {
    String(decoding: line.prefix(offset), as: UTF8.self).unicodeScalars.count + 1
  }

  /// Parses a line that holds an object, and returns the object's members.
  package static func members(of bytes: [UInt8]) throws(ParseError) -> [Member] {
    if let offset = invalidByte(in: bytes) {
      throw ParseError(offset: offset, message: "There are bytes here that are not UTF-8.")
    }
    var line = JSONLine(bytes)
    line.skipBlanks()
    let value = try line.value(depth: 0)
    guard case .object(let members) = value.content else {
      throw ParseError(
        offset: value.offset, message: "A line has to be an object, like {\"end\":…}.")
    }
    line.skipBlanks()
    guard line.index == bytes.count else {
      throw ParseError(
        offset: line.index, message: "There is something behind the end of the object.")
    }
    return members
  }

  private static func invalidByte(in bytes: [UInt8]) -> Int? {
    var decoder = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }

  private mutating func value(depth: Int) throws(ParseError) -> Value {
    let start = index
    guard depth <= Self.deepest else {
      throw ParseError(offset: start, message: "This is nested too deep.")
    }
    guard index < bytes.count else {
      throw ParseError(offset: start, message: "The line ends where a value is expected.")
    }
    switch bytes[index] {
    case UInt8(ascii: "\""): return Value(content: .text(try text()), offset: start)
    case UInt8(ascii: "["): return Value(content: .array(try array(depth)), offset: start)
    case UInt8(ascii: "{"): return Value(content: .object(try object(depth)), offset: start)
    default: break
    }
    while index < bytes.count, !",]} \t".utf8.contains(bytes[index]) { index += 1 }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    if ["true", "false", "null"].contains(word) {
      return Value(content: .word(word), offset: start)
    }
    guard word.first.map({ $0 == "-" || $0.isNumber }) == true, Double(word)?.isFinite == true
    else {
      throw ParseError(
        offset: start, message: "A value is expected here, not “\(word.prefix(20))”.")
    }
    return Value(content: .number(word), offset: start)
  }

  private mutating func array(_ depth: Int) throws(ParseError) -> [Value] {
    var values: [Value] = []
    try list(until: "]") { line throws(ParseError) in
      values.append(try line.value(depth: depth + 1))
    }
    return values
  }

  private mutating func object(_ depth: Int) throws(ParseError) -> [Member] {
    var members: [Member] = []
    try list(until: "}") { line throws(ParseError) in
      let offset = line.index
      guard line.index < line.bytes.count, line.bytes[line.index] == UInt8(ascii: "\"") else {
        throw ParseError(offset: offset, message: "A name in quotation marks is expected here.")
      }
      let name = try line.text()
      line.skipBlanks()
      try line.expect(":")
      line.skipBlanks()
      members.append(
        Member(name: name, offset: offset, value: try line.value(depth: depth + 1)))
    }
    return members
  }

  private mutating func list(
    until end: Unicode.Scalar, _ element: (inout JSONLine) throws(ParseError) -> Void
  ) throws(ParseError) {
    index += 1
    skipBlanks()
    if index < bytes.count, bytes[index] == UInt8(ascii: end) {
      index += 1
      return
    }
    while true {
      skipBlanks()
      try element(&self)
      skipBlanks()
      guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { break }
      index += 1
    }
    try expect(end)
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(ParseError) {
    guard index < bytes.count else {
      throw ParseError(offset: index, message: "The line ends where a “\(character)” is expected.")
    }
    guard bytes[index] == UInt8(ascii: character) else {
      throw ParseError(offset: index, message: "A “\(character)” is expected here.")
    }
    index += 1
  }

  private mutating func text() throws(ParseError) -> String {
    let start = index
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      guard bytes[index] >= 0x20 else {
        throw ParseError(offset: index, message: "A control character has to be escaped in a text.")
      }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < bytes.count else {
      throw ParseError(offset: start, message: "The text that begins here has no end.")
    }
    index += 1
    let written = Data(bytes[start..<index])
    // Foundation decodes the escapes.
    guard let text = try? JSONDecoder().decode(String.self, from: written) else {
      throw ParseError(
        offset: start, message: "The text that begins here holds an escape that is none.")
    }
    return text
  }

  private mutating func skipBlanks() {
    while index < bytes.count, " \t\r".utf8.contains(bytes[index]) { index += 1 }
  }
}

import SpeechText

/// Parses a file in one pass. Continues with the next line after an error, so that all errors are
/// found at once.
struct TOMLReader {
  private struct SyntaxError: Error {
    var offset: Int
    var message: String
  }

  private static let maximumDiagnostics = 100
  private static let deepestList = 16

  private let bytes: [UInt8]
  private var counter: PositionCounter
  private var index = 0
  private(set) var tables: [TOMLDocument.Table] = []
  private(set) var diagnostics: [ConfigurationDiagnostic] = []
  /// The lines of tables and entries by name, to detect duplicates.
  private var known: [[String]: Int] = [:]
  private var keys: [String: Int] = [:]
  /// The start of the comments directly above the next line.
  private var commentStart: Int?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    counter = PositionCounter(bytes)
  }

  mutating func read() {
    // Some editors write a byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    tables = [
      .init(
        path: [], place: TextPosition(line: 1, column: 1), range: index..<index, headerEnd: index)
    ]
    while index < bytes.count {
      let start = index
      do throws(SyntaxError) {
        try readLine()
      } catch {
        note(error)
        // Never goes back, and never stays within a character.
        index = max(index, start)
        skipLine()
      }
    }
    tables[tables.count - 1].range = tables[tables.count - 1].range.lowerBound..<bytes.count
    diagnostics.sort { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  // MARK: Lines

  private mutating func readLine() throws(SyntaxError) {
    let start = index
    skipBlanks()
    guard index < bytes.count else { return }
    switch bytes[index] {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      commentStart = nil
      try endLine()
    case UInt8(ascii: "#"):
      commentStart = commentStart ?? start
      try endLine()
    case UInt8(ascii: "["): try readHeader(from: start)
    default: try readEntry(from: start)
    }
  }

  private mutating func readHeader(from start: Int) throws(SyntaxError) {
    let offset = index
    let beginning = commentStart ?? start
    commentStart = nil
    index += 1
    guard !isNext("[") else {
      throw SyntaxError(
        offset: offset,
        message:
          "Arrays of tables ([[…]]) are not supported. Write [connector.NAME] or [action.NAME].")
    }
    var path: [String] = []
    repeat {
      skipBlanks()
      path.append(try readKey())
      skipBlanks()
    } while take(".")
    guard take("]") else {
      throw SyntaxError(offset: index, message: "The closing ] of the table's name is missing.")
    }
    guard path.count <= 4 else {
      throw SyntaxError(
        offset: offset, message: "The table is nested too deeply. Use at most four names.")
    }
    let place = counter.position(of: offset)
    let firstLine = known[path]
    if firstLine == nil { known[path] = place.line }
    tables[tables.count - 1].range = tables[tables.count - 1].range.lowerBound..<beginning
    tables.append(.init(path: path, place: place, range: beginning..<beginning, headerEnd: index))
    keys = [:]
    try endLine()
    tables[tables.count - 1].headerEnd = index
    if let firstLine {
      note(
        SyntaxError(
          offset: offset,
          message:
            "The table [\(path.joined(separator: "."))] is already in line \(firstLine). Merge "
            + "both tables."))
    }
  }

  private mutating func readEntry(from start: Int) throws(SyntaxError) {
    commentStart = nil
    let offset = index
    let place = counter.position(of: offset)
    let key = try readKey()
    skipBlanks()
    if isNext(".") {
      throw SyntaxError(
        offset: index,
        message: "Dotted keys are not supported. Write a table [\(key)…].")
    }
    guard take("=") else {
      throw SyntaxError(offset: index, message: "An = is missing after “\(key)”.")
    }
    skipBlanks()
    let valueStart = index
    let valuePlace = counter.position(of: valueStart)
    let value = try readValue(depth: 0)
    let valueEnd = index
    try endLine()
    if let line = keys[key] {
      return note(
        SyntaxError(
          offset: offset, message: "“\(key)” is already in line \(line). Remove one of them."))
    }
    keys[key] = place.line
    tables[tables.count - 1].entries.append(
      .init(
        key: key, value: value, place: place, valuePlace: valuePlace,
        valueRange: valueStart..<valueEnd, lines: start..<index,
        firstLine: isPlain(value, from: valueStart, to: valueEnd) ? valuePlace.line + 1 : nil))
  }

  /// Returns true for a multi-line string whose lines are in the file without escapes.
  private func isPlain(_ value: TOMLValue, from start: Int, to end: Int) -> Bool {
    guard case .string = value, end - start > 6, bytes[start] == bytes[start + 1],
      bytes[start + 1] == bytes[start + 2], bytes[start + 3] == UInt8(ascii: "\n")
    else { return false }
    return bytes[start] == UInt8(ascii: "'") || !bytes[start..<end].contains(UInt8(ascii: "\\"))
  }

  /// Reads the rest of a line: whitespace, a comment and the line break.
  private mutating func endLine() throws(SyntaxError) {
    skipBlanks()
    if isNext("#") {
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
        let byte = bytes[index]
        let isEnd =
          byte == UInt8(ascii: "\r") && index + 1 < bytes.count
          && bytes[index + 1] == UInt8(ascii: "\n")
        guard byte >= 0x20 || byte == UInt8(ascii: "\t") || isEnd, byte != 0x7F else {
          throw SyntaxError(
            offset: index, message: "The comment contains a control character. Remove it.")
        }
        index += 1
      }
    }
    if isNext("\r") { index += 1 }
    guard index < bytes.count else { return }
    guard take("\n") else {
      throw SyntaxError(
        offset: index,
        message: "There is text after the end of the value. Begin a new line, or a comment with #.")
    }
  }

  // MARK: Keys and values

  private mutating func readKey() throws(SyntaxError) -> String {
    if isNext("\"") || isNext("'") {
      let offset = index
      guard case .string(let key) = try readText(), !key.unicodeScalars.contains("\n") else {
        throw SyntaxError(offset: offset, message: "A name must be on a single line.")
      }
      return key
    }
    let start = index
    while index < bytes.count, Self.isBare(bytes[index]) { index += 1 }
    guard index > start else {
      throw SyntaxError(
        offset: index,
        message:
          "A name is missing. Lines are of the form: name = value, [table.name], or # comment.")
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func readValue(depth: Int) throws(SyntaxError) -> TOMLValue {
    guard index < bytes.count, bytes[index] != UInt8(ascii: "\n") else {
      throw SyntaxError(offset: index, message: "A value is missing after the =.")
    }
    switch bytes[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try readText()
    case UInt8(ascii: "["): return try readList(depth: depth)
    case UInt8(ascii: "{"):
      throw SyntaxError(
        offset: index,
        message: "Inline tables ({…}) are not supported. Write a separate table.")
    default: return try readWord()
    }
  }

  private mutating func readList(depth: Int) throws(SyntaxError) -> TOMLValue {
    guard depth < Self.deepestList else {
      throw SyntaxError(offset: index, message: "Lists are nested too deeply. Remove a level.")
    }
    let start = index
    index += 1
    var elements: [TOMLValue] = []
    while true {
      try skipLines(in: start)
      if take("]") { return .array(elements) }
      elements.append(try readValue(depth: depth + 1))
      try skipLines(in: start)
      if take("]") { return .array(elements) }
      guard take(",") else {
        throw SyntaxError(
          offset: index, message: "A comma or the closing ] is missing in the list.")
      }
    }
  }

  /// Skips whitespace, comments and line breaks within an array.
  private mutating func skipLines(in start: Int) throws(SyntaxError) {
    while index < bytes.count {
      skipBlanks()
      guard isNext("\n") || isNext("\r") || isNext("#") else { break }
      try endLine()
    }
    guard index < bytes.count else {
      throw SyntaxError(offset: start, message: "The list is not closed. Add a ].")
    }
  }

  private mutating func readWord() throws(SyntaxError) -> TOMLValue {
    let start = index
    while index < bytes.count,
      Self.isBare(bytes[index]) || "+.:".utf8.contains(bytes[index])
    {
      index += 1
    }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    if word == "true" { return .bool(true) }
    if word == "false" { return .bool(false) }
    guard let number = Self.number(word) else {
      throw SyntaxError(
        offset: start,
        message: word.isEmpty
          ? "A value is missing. Enclose texts in quotation marks."
          : "“\(word.prefix(40))” is not a value. Enclose texts in quotation marks. Dates are not "
            + "supported."
      )
    }
    return number
  }

  private static func number(_ word: String) -> TOMLValue? {
    let isWellFormed = word.utf8.allSatisfy { byte in
      isDigit(byte) || "+-_.eE".utf8.contains(byte)
    }
    // An underscore must be between digits.
    let parts = word.split(separator: "_", omittingEmptySubsequences: false)
    guard isWellFormed,
      parts.count == 1
        || zip(parts, parts.dropFirst()).allSatisfy({
          $0.utf8.last.map(isDigit) == true && $1.utf8.first.map(isDigit) == true
        })
    else { return nil }
    let plain = parts.joined()
    let digits = plain.drop { $0 == "+" || $0 == "-" }
    guard digits.utf8.first.map(isDigit) == true,
      digits.count == 1 || !digits.hasPrefix("0") || !isDigit(digits.utf8.dropFirst().first ?? 0)
    else { return nil }
    if let number = Int(plain) { return .int(number) }
    guard digits.utf8.last.map(isDigit) == true, digits.contains(where: { ".eE".contains($0) }),
      !digits.contains(".e"), !digits.contains(".E"), let number = Double(plain), number.isFinite
    else { return nil }
    return .double(number)
  }

  // MARK: Texts

  private mutating func readText() throws(SyntaxError) -> TOMLValue {
    let start = index
    let mark = bytes[index]
    let isLong = index + 2 < bytes.count && bytes[index + 1] == mark && bytes[index + 2] == mark
    index += isLong ? 3 : 1
    if isLong {
      if isNext("\r"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\n") {
        index += 1
      }
      if isNext("\n") { index += 1 }
    }
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      if byte == mark {
        if !isLong {
          index += 1
          return try string(text, from: start)
        }
        let count = bytes[index...].prefix(5).prefix { $0 == mark }.count
        index += count
        if count >= 3 {
          // Up to two further quotation marks belong to the string.
          return try string(text + Array(repeating: mark, count: count - 3), from: start)
        }
        text += Array(repeating: mark, count: count)
      } else if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\"") {
        try readEscape(isLong: isLong, into: &text)
      } else if byte == UInt8(ascii: "\n"), !isLong {
        break
      } else if byte == UInt8(ascii: "\r"), isLong, index + 1 < bytes.count,
        bytes[index + 1] == UInt8(ascii: "\n")
      {
        index += 1
      } else if byte < 0x20 && byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\n")
        || byte == 0x7F
      {
        throw SyntaxError(
          offset: index, message: "The text contains a control character. Write it as \\u00XX.")
      } else {
        text.append(byte)
        index += 1
      }
    }
    throw SyntaxError(
      offset: start,
      message: isLong
        ? "The text is not closed. Add three quotation marks."
        : "The text is not closed in this line. Add a quotation mark, or use three of them for "
          + "several lines."
    )
  }

  private func string(_ text: [UInt8], from start: Int) throws(SyntaxError) -> TOMLValue {
    guard let text = String(validating: text, as: UTF8.self) else {
      throw SyntaxError(
        offset: start, message: "The text is not encoded in UTF-8. Save the file as UTF-8.")
    }
    return .string(text)
  }

  private mutating func readEscape(isLong: Bool, into text: inout [UInt8]) throws(SyntaxError) {
    let start = index
    index += 1
    guard index < bytes.count else {
      throw SyntaxError(offset: start, message: "The text is not closed. Add a quotation mark.")
    }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(byte)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let count = byte == UInt8(ascii: "u") ? 4 : 8
      let digits = bytes[index...].prefix(count)
      guard digits.count == count, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(number)
      else {
        throw SyntaxError(offset: start, message: "This is not the number of a character.")
      }
      index += count
      text += Array(String(scalar).utf8)
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x20, 0x09:
      try joinLines(from: start, isLong: isLong)
    default:
      throw SyntaxError(
        offset: start,
        message: "Write a backslash twice, or enclose the text in single quotation marks.")
    }
  }

  /// A backslash at the end of a line removes all whitespace up to the next word.
  private mutating func joinLines(from start: Int, isLong: Bool) throws(SyntaxError) {
    index = start + 1
    skipBlanks()
    if isNext("\r") { index += 1 }
    guard isLong, isNext("\n") else {
      throw SyntaxError(
        offset: start,
        message: "Write a backslash twice, or enclose the text in single quotation marks.")
    }
    while index < bytes.count, [0x0A, 0x0D, 0x20, 0x09].contains(bytes[index]) { index += 1 }
  }

  // MARK: Bytes

  private func isNext(_ character: Unicode.Scalar) -> Bool {
    index < bytes.count && bytes[index] == UInt8(ascii: character)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() {
    while isNext(" ") || isNext("\t") { index += 1 }
  }

  private mutating func skipLine() {
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    if index < bytes.count { index += 1 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }

  private mutating func note(_ problem: SyntaxError) {
    guard diagnostics.count < Self.maximumDiagnostics else { return }
    let place = counter.position(of: problem.offset)
    diagnostics.append(
      ConfigurationDiagnostic(
        line: place.line, column: place.column, path: tables.last?.name ?? "",
        message: problem.message))
  }
}

import AIServices
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

  private let text: [Unicode.Scalar]
  private var counter: PositionCounter
  private var index = 0
  private(set) var tables: [TOMLDocument.Table] = []
  private(set) var diagnostics: [ConfigurationDiagnostic] = []
  /// The lines of tables and entries by name, to detect duplicates.
  private var known: [[String]: Int] = [:]
  private var keys: [String: Int] = [:]
  /// The start of the comments directly above the next line.
  private var commentStart: Int?

  init(_ text: [Unicode.Scalar]) {
    self.text = text
    counter = PositionCounter(text)
  }

  mutating func read() {
    // Some editors write a byte order mark.
    _ = take("\u{FEFF}")
    tables = [
      .init(
        path: [], place: TextPosition(line: 1, column: 1), range: index..<index, headerEnd: index)
    ]
    while index < text.count {
      let start = index
      do throws(SyntaxError) {
        try readLine()
      } catch {
        note(error)
        // Never goes back.
        index = max(index, start)
        skip { $0 != "\n" }
        _ = take("\n")
      }
    }
    endTable(at: text.count)
    diagnostics.sort { $0.place < $1.place }
  }

  // MARK: Lines

  private mutating func readLine() throws(SyntaxError) {
    let start = index
    skipBlanks()
    switch next {
    case nil: break
    case "\n", "\r":
      commentStart = nil
      try endLine()
    case "#":
      commentStart = commentStart ?? start
      try endLine()
    case "[": try readHeader(from: start)
    default: try readEntry(from: start)
    }
  }

  private mutating func readHeader(from start: Int) throws(SyntaxError) {
    let offset = index
    let beginning = commentStart ?? start
    commentStart = nil
    index += 1
    guard next != "[" else {
      throw error(
        "Arrays of tables ([[…]]) are not supported. Write [connector.NAME] or [action.NAME].",
        at: offset)
    }
    var path: [String] = []
    repeat {
      skipBlanks()
      path.append(try readKey())
      skipBlanks()
    } while take(".")
    guard take("]") else { throw error("The closing ] of the table's name is missing.") }
    guard path.count <= 4 else {
      throw error("The table is nested too deeply. Use at most four names.", at: offset)
    }
    let place = counter.position(of: offset)
    let firstLine = known[path]
    if firstLine == nil { known[path] = place.line }
    endTable(at: beginning)
    tables.append(.init(path: path, place: place, range: beginning..<beginning, headerEnd: index))
    keys = [:]
    try endLine()
    tables[tables.count - 1].headerEnd = index
    if let firstLine {
      note(
        error(
          "The table [\(path.joined(separator: "."))] is already in line \(firstLine). Merge both "
            + "tables.",
          at: offset))
    }
  }

  private mutating func endTable(at end: Int) {
    let last = tables.count - 1
    tables[last].range = tables[last].range.lowerBound..<end
  }

  private mutating func readEntry(from start: Int) throws(SyntaxError) {
    commentStart = nil
    let offset = index
    let place = counter.position(of: offset)
    let key = try readKey()
    skipBlanks()
    guard next != "." else {
      throw error("Dotted keys are not supported. Write a table [\(key)…].")
    }
    guard take("=") else { throw error("An = is missing after “\(key)”.") }
    skipBlanks()
    let valueStart = index
    let valuePlace = counter.position(of: valueStart)
    let value = try readValue(depth: 0)
    let valueEnd = index
    try endLine()
    if let line = keys[key] {
      return note(error("“\(key)” is already in line \(line). Remove one of them.", at: offset))
    }
    keys[key] = place.line
    tables[tables.count - 1].entries.append(
      .init(
        key: key, value: value, place: place, valuePlace: valuePlace,
        valueRange: valueStart..<valueEnd, lines: start..<index,
        firstLine: isPlain(text[valueStart..<valueEnd]) ? valuePlace.line + 1 : nil))
  }

  /// Returns true for a multi-line string whose lines are in the file without escapes.
  private func isPlain(_ value: ArraySlice<Unicode.Scalar>) -> Bool {
    value.starts(with: "'''\n".unicodeScalars)
      || value.starts(with: "\"\"\"\n".unicodeScalars) && !value.contains("\\")
  }

  /// Reads the rest of a line: whitespace, a comment and the line break.
  private mutating func endLine() throws(SyntaxError) {
    skipBlanks()
    if next == "#" {
      skip { !$0.isControl }
      guard next == nil || next == "\n" || isNextLineBreak else {
        throw error("The comment contains a control character. Remove it.")
      }
    }
    _ = take("\r")
    guard next == nil || take("\n") else {
      throw error(
        "There is text after the end of the value. Begin a new line, or a comment with #.")
    }
  }

  // MARK: Keys and values

  private mutating func readKey() throws(SyntaxError) -> String {
    let start = index
    if next == "\"" || next == "'" {
      let key = try readText()
      guard !key.unicodeScalars.contains("\n") else {
        throw error("A name must be on a single line.", at: start)
      }
      return key
    }
    skip(while: \.isBare)
    guard index > start else {
      throw error(
        "A name is missing. Lines are of the form: name = value, [table.name], or # comment.")
    }
    return string(text[start..<index])
  }

  private mutating func readValue(depth: Int) throws(SyntaxError) -> SendableValue {
    switch next {
    case nil, "\n": throw error("A value is missing after the =.")
    case "\"", "'": return .string(try readText())
    case "[": return try readList(depth: depth)
    case "{": throw error("Inline tables ({…}) are not supported. Write a separate table.")
    default: return try readWord()
    }
  }

  private mutating func readList(depth: Int) throws(SyntaxError) -> SendableValue {
    guard depth < Self.deepestList else {
      throw error("Lists are nested too deeply. Remove a level.")
    }
    let start = index
    index += 1
    var elements: [SendableValue] = []
    while true {
      try skipLines(in: start)
      if take("]") { return .array(elements) }
      elements.append(try readValue(depth: depth + 1))
      try skipLines(in: start)
      if take("]") { return .array(elements) }
      guard take(",") else { throw error("A comma or the closing ] is missing in the list.") }
    }
  }

  /// Skips whitespace, comments and line breaks within an array.
  private mutating func skipLines(in start: Int) throws(SyntaxError) {
    skipBlanks()
    while next == "\n" || next == "\r" || next == "#" {
      try endLine()
      skipBlanks()
    }
    guard next != nil else { throw error("The list is not closed. Add a ].", at: start) }
  }

  private mutating func readWord() throws(SyntaxError) -> SendableValue {
    let start = index
    skip { $0.isBare || "+.:".unicodeScalars.contains($0) }
    let word = string(text[start..<index])
    if word == "true" { return .bool(true) }
    if word == "false" { return .bool(false) }
    if let number = Self.number(word) { return number }
    throw error(
      word.isEmpty
        ? "A value is missing. Enclose texts in quotation marks."
        : "“\(word.prefix(40))” is not a value. Enclose texts in quotation marks. Dates are not "
          + "supported.",
      at: start)
  }

  private static func number(_ word: String) -> SendableValue? {
    // Underscores are between digits, and numbers have no leading zeros.
    guard
      word.wholeMatch(
        of: /[+-]?(0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?/) != nil
    else { return nil }
    let plain = word.replacing("_", with: "")
    if let number = Int(plain) { return .int(number) }
    guard plain.contains(where: { ".eE".contains($0) }) else { return nil }
    return Double(plain).flatMap { $0.isFinite ? .double($0) : nil }
  }

  // MARK: Texts

  private mutating func readText() throws(SyntaxError) -> String {
    let start = index
    let mark = text[index]
    let isLong = text[index...].prefix(3).elementsEqual([mark, mark, mark])
    index += isLong ? 3 : 1
    if isLong {
      if isNextLineBreak { index += 1 }
      _ = take("\n")
    }
    var read: [Unicode.Scalar] = []
    while let scalar = next {
      if scalar == mark {
        guard isLong else {
          index += 1
          return string(read[...])
        }
        let count = text[index...].prefix(5).prefix { $0 == mark }.count
        index += count
        // Up to two further quotation marks belong to the string.
        read += Array(repeating: mark, count: count < 3 ? count : count - 3)
        if count >= 3 { return string(read[...]) }
      } else if scalar == "\\", mark == "\"" {
        try readEscape(isLong: isLong, into: &read)
      } else if scalar == "\n", !isLong {
        break
      } else if isLong, isNextLineBreak {
        index += 1
      } else if scalar.isControl, scalar != "\n" {
        throw error("The text contains a control character. Write it as \\u00XX.")
      } else {
        read.append(scalar)
        index += 1
      }
    }
    throw error(
      isLong
        ? "The text is not closed. Add three quotation marks."
        : "The text is not closed in this line. Add a quotation mark, or use three of them for "
          + "several lines.",
      at: start)
  }

  private mutating func readEscape(
    isLong: Bool, into read: inout [Unicode.Scalar]
  ) throws(SyntaxError) {
    let start = index
    index += 1
    guard let scalar = next else {
      throw error("The text is not closed. Add a quotation mark.", at: start)
    }
    index += 1
    switch scalar {
    case "n": read.append("\n")
    case "t": read.append("\t")
    case "r": read.append("\r")
    case "b": read.append("\u{8}")
    case "f": read.append("\u{C}")
    case "\"", "\\": read.append(scalar)
    case "u", "U":
      let digits = text[index...].prefix(scalar == "u" ? 4 : 8)
      guard digits.count == (scalar == "u" ? 4 : 8),
        digits.allSatisfy({ $0.isASCII && $0.properties.isHexDigit }),
        let character = UInt32(string(digits), radix: 16).flatMap(Unicode.Scalar.init)
      else { throw error("This is not the number of a character.", at: start) }
      index += digits.count
      read.append(character)
    case "\n", "\r", " ", "\t":
      // A backslash at the end of a line removes all whitespace up to the next word.
      index = start + 1
      skipBlanks()
      _ = take("\r")
      guard isLong, next == "\n" else { fallthrough }
      skip { "\n\r \t".unicodeScalars.contains($0) }
    default:
      throw error(
        "Write a backslash twice, or enclose the text in single quotation marks.", at: start)
    }
  }

  // MARK: Characters

  private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

  /// True before a line break of two characters.
  private var isNextLineBreak: Bool {
    next == "\r" && index + 1 < text.count && text[index + 1] == "\n"
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  private mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) {
    while let next, isSkipped(next) { index += 1 }
  }

  private mutating func skipBlanks() {
    skip { $0 == " " || $0 == "\t" }
  }

  private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private func error(_ message: String, at offset: Int? = nil) -> SyntaxError {
    SyntaxError(offset: offset ?? index, message: message)
  }

  private mutating func note(_ error: SyntaxError) {
    guard diagnostics.count < Self.maximumDiagnostics else { return }
    let place = counter.position(of: error.offset)
    diagnostics.append(
      ConfigurationDiagnostic(
        line: place.line, column: place.column, path: tables.last?.name ?? "",
        message: error.message))
  }
}

extension Unicode.Scalar {
  /// True for characters of names without quotation marks.
  fileprivate var isBare: Bool {
    isASCII && (properties.isAlphabetic || properties.numericType != nil) || self == "-"
      || self == "_"
  }

  /// True for characters that a file must not contain, besides line breaks.
  fileprivate var isControl: Bool { value < 0x20 && self != "\t" || value == 0x7F }
}

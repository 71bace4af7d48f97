import SpeechCore

/// Parses SSML into tags and text, in linear time, and rejects what is not well-formed.
///
/// Document types, external references, and entities other than XML's five and numeric ones are not
/// supported.
struct SSMLReader {
  /// A part of the document with its range, counted in Unicode scalars.
  enum Part: Equatable {
    case open(name: String, attributes: [String: String], place: Range<Int>)
    case close(name: String, place: Range<Int>)
    /// Text as it is written; each scalar is one of the document.
    case text([Unicode.Scalar], start: Int)
    /// One character written as an entity.
    case character(Unicode.Scalar, place: Range<Int>)
  }

  /// The maximum length of a document in UTF-8 bytes.
  static let longestDocument = 2_000_000
  /// The maximum depth of nested elements.
  static let deepest = 32

  private let source: [Unicode.Scalar]
  private var index = 0
  private var parts: [Part] = []
  private var open: [String] = []

  private init(_ text: String) {
    source = Array(text.unicodeScalars)
  }

  /// Returns the parts of a document. Each `open` has a matching `close`.
  static func parts(of text: String) throws(SpeechSynthesisProviderError) -> [Part] {
    guard text.utf8.count <= longestDocument else {
      throw .unknown(
        "The SSML is longer than \(longestDocument / 1_000_000) MB. Speak it in parts.")
    }
    var reader = SSMLReader(text)
    try reader.read()
    return reader.parts
  }

  private mutating func read() throws(SpeechSynthesisProviderError) {
    if source.first?.value == 0xFEFF { index = 1 }
    var textStart = index
    while index < source.count {
      let scalar = source[index]
      guard scalar == "<" || scalar == "&" else {
        index += 1
        continue
      }
      appendText(from: textStart)
      if scalar == "&" {
        let start = index
        let character = try entity()
        parts.append(.character(character, place: start..<index))
      } else {
        try markup()
      }
      textStart = index
    }
    appendText(from: textStart)
    if let name = open.last { throw error("<\(name)> is not closed", at: source.count) }
  }

  private mutating func appendText(from start: Int) {
    guard start < index else { return }
    parts.append(.text(Array(source[start..<index]), start: start))
  }

  private mutating func markup() throws(SpeechSynthesisProviderError) {
    if starts(with: "<!--") { return try skip(past: "-->", "a comment") }
    if starts(with: "<?") { return try skip(past: "?>", "a processing instruction") }
    if starts(with: "<![CDATA[") {
      let start = index + 9
      try skip(past: "]]>", "a CDATA section")
      if start < index - 3 { parts.append(.text(Array(source[start..<index - 3]), start: start)) }
      return
    }
    if starts(with: "<!") { throw error("document types are not supported", at: index) }
    if starts(with: "</") { try closingTag() } else { try openingTag() }
  }

  private mutating func closingTag() throws(SpeechSynthesisProviderError) {
    let start = index
    index += 2
    let name = try self.name()
    skipBlanks()
    try expect(">", "to end </\(name)")
    guard open.last == name else {
      throw error(
        open.last.map { "</\(name)> where </\($0)> was expected" }
          ?? "</\(name)> without a start tag", at: start)
    }
    open.removeLast()
    parts.append(.close(name: name, place: start..<index))
  }

  private mutating func openingTag() throws(SpeechSynthesisProviderError) {
    let start = index
    index += 1
    let name = try self.name()
    var attributes: [String: String] = [:]
    while true {
      let hadBlank = skipBlanks()
      guard index < source.count else { throw error("<\(name) is not terminated", at: start) }
      if source[index] == ">" {
        index += 1
        guard open.count < Self.deepest else {
          throw error("elements are nested deeper than \(Self.deepest)", at: start)
        }
        open.append(name)
        parts.append(.open(name: name, attributes: attributes, place: start..<index))
        return
      }
      if starts(with: "/>") {
        index += 2
        parts.append(.open(name: name, attributes: attributes, place: start..<index))
        parts.append(.close(name: name, place: index..<index))
        return
      }
      guard hadBlank else { throw error("a space or > was expected", at: index) }
      let attributeStart = index
      let key = try self.name()
      skipBlanks()
      try expect("=", "after \(key)")
      skipBlanks()
      guard attributes.count < 20 else { throw error("too many attributes", at: attributeStart) }
      guard attributes.updateValue(try value(of: key), forKey: key) == nil else {
        throw error("\(key) appears twice", at: attributeStart)
      }
    }
  }

  private mutating func value(of key: String) throws(SpeechSynthesisProviderError) -> String {
    guard index < source.count, source[index] == "\"" || source[index] == "'" else {
      throw error("the value of \(key) must be in quotation marks", at: index)
    }
    let quote = source[index]
    let start = index
    index += 1
    var value = String.UnicodeScalarView()
    while index < source.count, source[index] != quote {
      if source[index] == "<" { throw error("< in the value of \(key)", at: index) }
      if source[index] == "&" {
        value.append(try entity())
      } else {
        value.append(source[index])
        index += 1
      }
    }
    guard index < source.count else {
      throw error("the value of \(key) is not terminated", at: start)
    }
    index += 1
    return String(value)
  }

  private mutating func entity() throws(SpeechSynthesisProviderError) -> Unicode.Scalar {
    let start = index
    var name = ""
    index += 1
    while index < source.count, source[index] != ";", name.utf8.count <= 10 {
      name.unicodeScalars.append(source[index])
      index += 1
    }
    guard index < source.count, source[index] == ";" else {
      throw error("& without a name and a semicolon; write &amp;", at: start)
    }
    index += 1
    let named: [String: Unicode.Scalar] = [
      "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]
    if let scalar = named[name] { return scalar }
    if name.hasPrefix("#") {
      let digits = name.dropFirst()
      let value =
        digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
      if let value, value > 0, let scalar = Unicode.Scalar(value) { return scalar }
    }
    throw error("&\(name); is not known", at: start)
  }

  private mutating func name() throws(SpeechSynthesisProviderError) -> String {
    let start = index
    var name = ""
    while index < source.count, Self.isNamePart(source[index]), name.utf8.count <= 64 {
      name.unicodeScalars.append(source[index])
      index += 1
    }
    guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_",
      name.utf8.count <= 64
    else { throw error("a name was expected; write &lt; for <", at: start) }
    return name
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2E, 0x30...0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    case 0..<0xC0: false
    default: scalar.properties.isAlphabetic
    }
  }

  @discardableResult
  private mutating func skipBlanks() -> Bool {
    let start = index
    while index < source.count, source[index].properties.isWhitespace { index += 1 }
    return index > start
  }

  private mutating func expect(
    _ scalar: Unicode.Scalar, _ purpose: String
  ) throws(SpeechSynthesisProviderError) {
    guard index < source.count, source[index] == scalar else {
      throw error("\(scalar) was expected \(purpose)", at: index)
    }
    index += 1
  }

  private func starts(with text: StaticString) -> Bool {
    let wanted = String(describing: text).unicodeScalars
    return source[index...].starts(with: wanted)
  }

  private mutating func skip(
    past end: StaticString, _ what: String
  ) throws(SpeechSynthesisProviderError) {
    let start = index
    while index < source.count {
      if starts(with: end) {
        index += String(describing: end).unicodeScalars.count
        return
      }
      index += 1
    }
    throw error("\(what) is not terminated", at: start)
  }

  private func error(_ message: String, at place: Int) -> SpeechSynthesisProviderError {
    var line = 1
    var column = 1
    for scalar in source.prefix(place) {
      if scalar == "\n" {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    return .unknown("SSML line \(line), column \(column): \(message).")
  }
}

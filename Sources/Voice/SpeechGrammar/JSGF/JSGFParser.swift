/// Parses the tokens of a grammar.
struct JSGFParser {
  private let tokens: [JSGFToken]
  private var index = 0
  private var depth = 0

  init(_ text: String) throws(JSGFError) {
    tokens = try JSGFLexer.tokens(of: text)
  }

  private var current: JSGFToken { tokens[index] }

  private mutating func take() -> JSGFToken {
    let token = tokens[index]
    if index < tokens.count - 1 { index += 1 }
    return token
  }

  private mutating func expect(_ kind: JSGFToken.Kind, _ name: String) throws(JSGFError) {
    guard current.kind == kind else { throw unexpected(name) }
    _ = take()
  }

  private func unexpected(_ expected: String) -> JSGFError {
    JSGFError(.unexpected(found: current.name, expected: expected), at: current.position)
  }

  // MARK: - Declarations

  /// The name, the imports and the rules.
  mutating func source(file: String?) throws(JSGFError) -> JSGFSource {
    try header()
    var source = JSGFSource(name: try grammarName(), file: file)
    while current.kind != .end {
      if case .word("import") = current.kind {
        source.imports.append(try importedName())
      } else {
        source.rules.append(try rule())
      }
    }
    return source
  }

  private mutating func importedName() throws(JSGFError) -> JSGFSource.Import {
    _ = take()
    guard case .rule(let name) = current.kind else { throw unexpected("<grammar.rule>") }
    let position = take().position
    try expect(.semicolon, "“;” behind the import")
    return JSGFSource.Import(name: name, position: position)
  }

  private mutating func header() throws(JSGFError) {
    guard case .header(let text) = current.kind else {
      throw JSGFError(.missingHeader, at: current.position)
    }
    let fields = text.split(whereSeparator: \.isWhitespace)
    guard fields.count >= 2, fields.count <= 4, fields[0] == "#JSGF",
      fields[1].lowercased() == "v1.0"
    else { throw JSGFError(.missingHeader, at: current.position) }
    _ = take()
    try expect(.semicolon, "“;” behind the header")
  }

  private mutating func grammarName() throws(JSGFError) -> String {
    guard case .word("grammar") = current.kind else {
      throw JSGFError(.missingName, at: current.position)
    }
    _ = take()
    guard case .word(let name) = current.kind else {
      throw JSGFError(.missingName, at: current.position)
    }
    _ = take()
    try expect(.semicolon, "“;” behind the grammar's name")
    return name
  }

  private mutating func rule() throws(JSGFError) -> JSGFGrammar.Rule {
    let start = current.position
    var isPublic = false
    if case .word("public") = current.kind {
      isPublic = true
      _ = take()
    }
    guard case .rule(let name) = current.kind else { throw unexpected("a rule such as <name>") }
    guard !name.isEmpty, !["NULL", "VOID"].contains(name) else { throw unexpected("a name") }
    _ = take()
    try expect(.equals, "“=”")
    let expansion = try alternatives()
    try expect(.semicolon, "“;” or more of the rule <\(name)>")
    return JSGFGrammar.Rule(
      name: name, isPublic: isPublic, expansion: expansion, position: start)
  }

  // MARK: - Expansions

  private mutating func alternatives() throws(JSGFError) -> JSGFExpansion {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSGFLimits.depth else {
      throw JSGFError(
        .tooLarge("groups are nested deeper than \(JSGFLimits.depth)"), at: current.position)
    }
    var found = [try alternative()]
    while current.kind == .bar {
      _ = take()
      found.append(try alternative())
    }
    if found.count == 1, found[0].weight == nil { return found[0].expansion }
    return .alternatives(found)
  }

  private mutating func alternative() throws(JSGFError) -> JSGFAlternative {
    var weight: Double?
    if case .weight(let text) = current.kind {
      guard let value = Double(text), value >= 0, value.isFinite else {
        throw JSGFError(.badWeight(text), at: current.position)
      }
      weight = value
      _ = take()
    }
    return JSGFAlternative(weight: weight, expansion: try sequence())
  }

  private mutating func sequence() throws(JSGFError) -> JSGFExpansion {
    var items: [JSGFExpansion] = []
    while let item = try item() { items.append(item) }
    guard !items.isEmpty else { throw unexpected("a word, a rule or a group") }
    return items.count == 1 ? items[0] : .sequence(items)
  }

  /// A word, a rule or a group with its suffixes; `nil` if there is something else.
  private mutating func item() throws(JSGFError) -> JSGFExpansion? {
    var expansion: JSGFExpansion
    let start = current
    switch start.kind {
    case .word(let text):
      _ = take()
      let words = text.split(whereSeparator: \.isWhitespace).map {
        JSGFExpansion.word(JSGFWord(text: String($0), position: start.position))
      }
      guard let first = words.first else {
        throw JSGFError(
          .unexpected(found: "an empty string", expected: "a word"), at: start.position)
      }
      expansion = words.count == 1 ? first : .sequence(words)
    case .rule(let name):
      _ = take()
      expansion = Self.reference(name, start.position)
    case .openParenthesis:
      _ = take()
      expansion = try alternatives()
      try expect(.closeParenthesis, "“)”")
    case .openBracket:
      _ = take()
      expansion = .optional(try alternatives())
      try expect(.closeBracket, "“]”")
    default:
      return nil
    }
    return suffixed(expansion)
  }

  private static func reference(_ name: String, _ position: TextPosition) -> JSGFExpansion {
    switch name {
    case "NULL": .null
    case "VOID": .void
    default: .rule(name, position)
    }
  }

  private mutating func suffixed(_ expansion: JSGFExpansion) -> JSGFExpansion {
    var expansion = expansion
    if current.kind == .star || current.kind == .plus {
      expansion = .repeated(expansion, atLeastOnce: take().kind == .plus)
    }
    var tags: [String] = []
    while case .tag(let tag) = current.kind {
      tags.append(tag)
      _ = take()
    }
    return tags.isEmpty ? expansion : .tagged(expansion, tags)
  }
}

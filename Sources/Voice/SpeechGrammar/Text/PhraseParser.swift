/// Parses phrases with the groups, alternatives and weights that JSGF and templates share.
protocol PhraseParser {
  /// The maximum depth of nested groups.
  static var maximumDepth: Int { get }
  /// The parts of a phrase, for messages.
  static var parts: String { get }

  var tokens: TokenReader { get set }

  /// Parses a part of a phrase with its repetition; `nil` if there is something else.
  mutating func part() throws(GrammarDiagnostic) -> Phrase?
}

extension PhraseParser {
  /// Parses alternatives as one phrase.
  mutating func phrase() throws(GrammarDiagnostic) -> Phrase {
    let found = try alternatives()
    return found.count == 1 && found[0].weight == nil ? found[0].phrase : .choice(found)
  }

  /// Parses phrases with bars between them.
  mutating func alternatives() throws(GrammarDiagnostic) -> [Phrase.Alternative] {
    tokens.depth += 1
    defer { tokens.depth -= 1 }
    guard tokens.depth <= Self.maximumDepth else {
      throw GrammarDiagnostic(
        .tooLarge("groups are nested deeper than \(Self.maximumDepth)"),
        at: tokens.current.position)
    }
    var found = [try alternative()]
    while tokens.current.kind == .bar {
      tokens.take()
      found.append(try alternative())
    }
    return found
  }

  private mutating func alternative() throws(GrammarDiagnostic) -> Phrase.Alternative {
    var weight: Double?
    if case .weight(let text) = tokens.current.kind {
      guard let value = Double(text), value >= 0, value.isFinite else {
        throw GrammarDiagnostic(.badWeight(text), at: tokens.current.position)
      }
      weight = value
      tokens.take()
    }
    var parts: [Phrase] = []
    while let part = try part() { parts.append(part) }
    guard !parts.isEmpty else { throw tokens.unexpected(Self.parts) }
    return Phrase.Alternative(parts.count == 1 ? parts[0] : .sequence(parts), weight: weight)
  }

  /// Parses a group in parentheses or brackets; `nil` if there is none.
  mutating func group() throws(GrammarDiagnostic) -> Phrase? {
    switch tokens.current.kind {
    case .openParenthesis:
      tokens.take()
      let group = try phrase()
      try tokens.expect(.closeParenthesis, "“)”")
      return group
    case .openBracket:
      tokens.take()
      let group = try phrase()
      try tokens.expect(.closeBracket, "“]”")
      return .optional(group)
    default: return nil
    }
  }
}

/// Reads tokens one after the other. The last one, the end, is never consumed.
struct TokenReader {
  private let tokens: [GrammarToken]
  private var index = 0
  /// The number of groups around the current token.
  var depth = 0

  init(_ tokens: [GrammarToken]) { self.tokens = tokens }

  var current: GrammarToken { tokens[index] }

  @discardableResult
  mutating func take() -> GrammarToken {
    defer { if index < tokens.count - 1 { index += 1 } }
    return tokens[index]
  }

  /// Takes a token that has to be there.
  mutating func expect(
    _ kind: GrammarToken.Kind, _ name: String
  ) throws(GrammarDiagnostic) {
    guard current.kind == kind else { throw unexpected(name) }
    take()
  }

  func unexpected(_ expected: String) -> GrammarDiagnostic {
    GrammarDiagnostic(.unexpected(found: current.name, expected: expected), at: current.position)
  }
}

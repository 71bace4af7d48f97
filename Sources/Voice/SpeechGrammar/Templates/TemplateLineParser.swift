/// Parses the tokens of one line as phrases.
struct TemplateLineParser {
  /// The content of a line: alternatives, and a code after “->”.
  struct Line {
    var alternatives: [Phrase.Alternative]
    var code: String?
    var codePosition: TextPosition?
  }

  /// Resolves the name of a slot.
  typealias SlotResolver = (_ text: String, TextPosition) throws(CommandGrammarError) -> Phrase

  private let tokens: [TemplateLexer.Token]
  private let resolve: SlotResolver
  private var index = 0
  private var depth = 0
  /// The rules that the line uses.
  private(set) var rules: [(name: String, position: TextPosition)] = []

  init(_ tokens: [TemplateLexer.Token], resolve: @escaping SlotResolver) {
    self.tokens = tokens
    self.resolve = resolve
  }

  private var current: TemplateLexer.Token { tokens[index] }

  private mutating func take() {
    if index < tokens.count - 1 { index += 1 }
  }

  private func unexpected(_ expected: String) -> CommandGrammarError {
    CommandGrammarError(
      .unexpected(found: current.name, expected: expected), at: current.position)
  }

  mutating func line() throws(CommandGrammarError) -> Line {
    var line = Line(alternatives: try alternatives())
    if case .code(let code) = current.kind {
      guard !code.isEmpty else {
        take()
        throw unexpected("a code behind “->”")
      }
      line.code = code
      line.codePosition = current.position
      take()
    }
    guard current.kind == .end else { throw unexpected("the end of the line") }
    return line
  }

  private mutating func alternatives() throws(CommandGrammarError) -> [Phrase.Alternative] {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSGFLimits.depth / 2 else {
      throw CommandGrammarError(
        .tooLarge("groups are nested deeper than \(JSGFLimits.depth / 2)"), at: current.position)
    }
    var found = [try alternative()]
    while current.kind == .bar {
      take()
      found.append(try alternative())
    }
    return found
  }

  private mutating func alternative() throws(CommandGrammarError) -> Phrase.Alternative {
    var weight: Double?
    if case .weight(let text) = current.kind {
      guard let value = Double(text), value >= 0, value.isFinite else {
        throw CommandGrammarError(.badWeight(text), at: current.position)
      }
      weight = value
      take()
    }
    var parts: [Phrase] = []
    while let part = try part() { parts.append(part) }
    guard !parts.isEmpty else { throw unexpected("a word, a group, a rule or a slot") }
    return Phrase.Alternative(.joined(parts), weight: weight)
  }

  /// A word or a group, with its repetition; `nil` if there is something else.
  private mutating func part() throws(CommandGrammarError) -> Phrase? {
    var phrase: Phrase
    let start = current
    switch start.kind {
    case .word(let text):
      take()
      phrase = .word(text)
    case .rule(let name):
      take()
      rules.append((name, start.position))
      phrase = .rule(name)
    case .slot(let text):
      take()
      phrase = try resolve(text, start.position)
    case .openParenthesis:
      take()
      phrase = .either(try alternatives())
      guard current.kind == .closeParenthesis else { throw unexpected("“)”") }
      take()
    case .openBracket:
      take()
      phrase = .optional(.either(try alternatives()))
      guard current.kind == .closeBracket else { throw unexpected("“]”") }
      take()
    default: return nil
    }
    if case .times(let minimum, let maximum) = current.kind {
      let last = maximum ?? minimum
      guard last >= minimum, maximum != 0, last <= CommandGrammarChecker.Limits.repeats else {
        throw CommandGrammarError(
          .badRange("up to \(CommandGrammarChecker.Limits.repeats) times can be counted"),
          at: current.position)
      }
      take()
      phrase = .repeated(phrase, minimum: minimum, maximum: maximum)
    }
    return phrase
  }
}

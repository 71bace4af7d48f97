/// Parses the tokens of one line as phrases.
struct TemplateLineParser: PhraseParser {
  /// The content of a line: alternatives, and a code after “->”.
  struct Line {
    var alternatives: [Phrase.Alternative]
    var code: String?
    var codePosition: TextPosition?
  }

  /// Resolves the name of a slot.
  typealias SlotResolver = (_ text: String, TextPosition) throws(GrammarDiagnostic) -> Phrase

  static let maximumDepth = JSGFLimits.depth / 2
  static let parts = "a word, a group, a rule or a slot"

  var tokens: TokenReader
  /// The rules that the line uses.
  private(set) var rules: [(name: String, position: TextPosition)] = []
  private let resolve: SlotResolver

  init(_ tokens: [GrammarToken], resolve: @escaping SlotResolver) {
    self.tokens = TokenReader(tokens)
    self.resolve = resolve
  }

  mutating func line() throws(GrammarDiagnostic) -> Line {
    var line = Line(
      alternatives: try alternatives().map {
        Phrase.Alternative($0.phrase.normalized, weight: $0.weight)
      })
    if case .code(let code) = tokens.current.kind {
      line.codePosition = tokens.take().position
      guard !code.isEmpty else { throw tokens.unexpected("a code behind “->”") }
      line.code = code
    }
    guard tokens.current.isEnd else { throw tokens.unexpected("the end of the line") }
    return line
  }

  /// Parses a word or a group, with its repetition; `nil` if there is something else.
  mutating func part() throws(GrammarDiagnostic) -> Phrase? {
    let phrase: Phrase
    let start = tokens.current
    switch start.kind {
    case .word(let text):
      tokens.take()
      phrase = .word(text)
    case .rule(let name):
      tokens.take()
      rules.append((name, start.position))
      phrase = .rule(name)
    case .slot(let text):
      tokens.take()
      phrase = try resolve(text, start.position)
    default:
      guard let group = try group() else { return nil }
      phrase = group
    }
    guard case .times(let minimum, let maximum) = tokens.current.kind else { return phrase }
    let last = maximum ?? minimum
    guard last >= minimum, maximum != 0, last <= CommandGrammarLimits.repeats else {
      throw GrammarDiagnostic(
        .badRange("up to \(CommandGrammarLimits.repeats) times can be counted"),
        at: tokens.current.position)
    }
    tokens.take()
    return .repeated(phrase, minimum: minimum, maximum: maximum)
  }
}

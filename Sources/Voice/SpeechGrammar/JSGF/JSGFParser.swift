/// Parses the text of a JSGF grammar.
struct JSGFParser: PhraseParser {
  static let maximumDepth = JSGFLimits.depth
  static let parts = "a word, a rule or a group"

  var tokens: TokenReader
  /// The words and the uses of rules in the current rule.
  private var words: [JSGFGrammar.Mention] = []
  private var uses: [JSGFGrammar.Mention] = []

  init(_ text: String) throws(GrammarDiagnostic) {
    tokens = TokenReader(try JSGFLexer.tokens(of: text))
  }

  // MARK: - Declarations

  /// The name, the imports and the rules.
  mutating func source(file: String?) throws(GrammarDiagnostic) -> JSGFSource {
    try header()
    var source = JSGFSource(name: try grammarName(), file: file)
    while !tokens.current.isEnd {
      if case .word("import") = tokens.current.kind {
        source.imports.append(try importedName())
      } else {
        source.rules.append(try rule())
      }
    }
    return source
  }

  private mutating func importedName() throws(GrammarDiagnostic) -> JSGFSource.Import {
    tokens.take()
    guard case .rule(let name) = tokens.current.kind else {
      throw tokens.unexpected("<grammar.rule>")
    }
    let position = tokens.take().position
    try tokens.expect(.semicolon, "“;” behind the import")
    return JSGFSource.Import(name: name, position: position)
  }

  private mutating func header() throws(GrammarDiagnostic) {
    guard case .header(let text) = tokens.current.kind else {
      throw GrammarDiagnostic(.missingHeader, at: tokens.current.position)
    }
    let fields = text.split(whereSeparator: \.isWhitespace)
    guard fields.count >= 2, fields.count <= 4, fields[0] == "#JSGF",
      fields[1].lowercased() == "v1.0"
    else { throw GrammarDiagnostic(.missingHeader, at: tokens.current.position) }
    tokens.take()
    try tokens.expect(.semicolon, "“;” behind the header")
  }

  private mutating func grammarName() throws(GrammarDiagnostic) -> String {
    guard case .word("grammar") = tokens.current.kind else {
      throw GrammarDiagnostic(.missingName, at: tokens.current.position)
    }
    tokens.take()
    guard case .word(let name) = tokens.current.kind else {
      throw GrammarDiagnostic(.missingName, at: tokens.current.position)
    }
    tokens.take()
    try tokens.expect(.semicolon, "“;” behind the grammar's name")
    return name
  }

  private mutating func rule() throws(GrammarDiagnostic) -> JSGFGrammar.Rule {
    let start = tokens.current.position
    let isPublic = tokens.current.kind == .word("public")
    if isPublic { tokens.take() }
    guard case .rule(let name) = tokens.current.kind else {
      throw tokens.unexpected("a rule such as <name>")
    }
    guard !name.isEmpty, !["NULL", "VOID"].contains(name) else { throw tokens.unexpected("a name") }
    tokens.take()
    try tokens.expect(.equals, "“=”")
    (words, uses) = ([], [])
    let phrase = try phrase()
    try tokens.expect(.semicolon, "“;” or more of the rule <\(name)>")
    return JSGFGrammar.Rule(
      name: name, isPublic: isPublic, phrase: phrase, position: start, words: words, uses: uses)
  }

  // MARK: - Phrases

  /// Parses a word, a rule or a group with its suffixes; `nil` if there is something else.
  mutating func part() throws(GrammarDiagnostic) -> Phrase? {
    var phrase: Phrase
    let (kind, position) = (tokens.current.kind, tokens.current.position)
    switch kind {
    case .word(let text):
      tokens.take()
      let parts = text.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let first = parts.first else {
        throw GrammarDiagnostic(
          .unexpected(found: "an empty string", expected: "a word"), at: position)
      }
      words += parts.map { JSGFGrammar.Mention(text: $0, position: position) }
      phrase = parts.count == 1 ? .word(first) : .sequence(parts.map { .word($0) })
    case .rule("NULL"):
      tokens.take()
      phrase = .nothing
    case .rule("VOID"):
      tokens.take()
      phrase = .never
    case .rule(let name):
      tokens.take()
      uses.append(JSGFGrammar.Mention(text: name, position: position))
      phrase = .rule(name)
    default:
      guard let group = try group() else { return nil }
      phrase = group
    }
    if case .times(let minimum, _) = tokens.current.kind {
      tokens.take()
      phrase = .repeated(phrase, minimum: minimum, maximum: nil)
    }
    var tags: [String] = []
    while case .tag(let tag) = tokens.current.kind {
      tags.append(tag)
      tokens.take()
    }
    return tags.isEmpty ? phrase : .tagged(phrase, tags)
  }
}

/// A token of a grammar's text.
struct GrammarToken: Equatable {
  enum Kind: Equatable {
    /// A word; in JSGF also a quoted string of words.
    case word(String)
    /// `<name>`
    case rule(String)
    /// `/0.5/`
    case weight(String)
    /// `*` and `+`; in templates also `*3`, `*2..5` and `*2..`.
    case times(minimum: Int, maximum: Int?)
    case bar, openParenthesis, closeParenthesis, openBracket, closeBracket
    /// The end of a “line” or “text”.
    case end(of: String)

    // In JSGF.

    case header(String)
    /// `{tag}`
    case tag(String)
    case equals, semicolon

    // In templates.

    /// `{name: type}`
    case slot(String)
    /// `-> code`
    case code(String)
  }

  var kind: Kind
  var position: TextPosition

  /// The tokens of one character that both formats have.
  static let marks: [Character: Kind] = [
    "(": .openParenthesis, ")": .closeParenthesis, "[": .openBracket, "]": .closeBracket, "|": .bar,
  ]

  var isEnd: Bool {
    if case .end = kind { true } else { false }
  }

  /// The name of the token in messages.
  var name: String {
    switch kind {
    case .word(let text): "“\(text)”"
    case .rule(let name): "<\(name)>"
    case .weight(let text): "“/\(text)/”"
    case .times(_, .some): "a number of times"
    case .times(let minimum, nil): minimum == 1 ? "“+”" : "“*”"
    case .bar: "“|”"
    case .openParenthesis: "“(”"
    case .closeParenthesis: "“)”"
    case .openBracket: "“[”"
    case .closeBracket: "“]”"
    case .end(let part): "the end of the \(part)"
    case .header: "the header"
    case .tag: "a tag"
    case .equals: "“=”"
    case .semicolon: "“;”"
    case .slot(let name): "{\(name)}"
    case .code: "“->”"
    }
  }
}

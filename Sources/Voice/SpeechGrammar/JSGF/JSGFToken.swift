/// A token of a grammar's text.
struct JSGFToken: Equatable {
  enum Kind: Equatable {
    case header(String)
    /// A word, or a quoted string of words.
    case word(String)
    /// `<name>`
    case rule(String)
    /// `{tag}`
    case tag(String)
    /// `/0.5/`
    case weight(String)
    case equals
    case semicolon
    case bar
    case star
    case plus
    case openParenthesis
    case closeParenthesis
    case openBracket
    case closeBracket
    case end
  }

  var kind: Kind
  var position: TextPosition

  /// The name of the token in messages.
  var name: String {
    switch kind {
    case .header: "the header"
    case .word(let text): "“\(text)”"
    case .rule(let name): "<\(name)>"
    case .tag: "a tag"
    case .weight: "a weight"
    case .equals: "“=”"
    case .semicolon: "“;”"
    case .bar: "“|”"
    case .star: "“*”"
    case .plus: "“+”"
    case .openParenthesis: "“(”"
    case .closeParenthesis: "“)”"
    case .openBracket: "“[”"
    case .closeBracket: "“]”"
    case .end: "the end of the text"
    }
  }
}

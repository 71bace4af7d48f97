/// Splits the text of a JSGF grammar into tokens, without comments.
struct JSGFLexer {
  private static let start = TextPosition(line: 1, column: 1)
  private var scanner: GrammarScanner

  /// All tokens; the last one is the end.
  static func tokens(of text: String) throws(GrammarDiagnostic) -> [GrammarToken] {
    let characters = Array(text.first == "\u{FEFF}" ? text.dropFirst() : text[...])
    var lexer = JSGFLexer(scanner: GrammarScanner(characters[...], at: start))
    var tokens: [GrammarToken] = []
    repeat {
      tokens.append(try lexer.next())
    } while tokens.last?.isEnd == false
    return tokens
  }

  private mutating func next() throws(GrammarDiagnostic) -> GrammarToken {
    try skipBlanksAndComments()
    let position = scanner.position
    return GrammarToken(kind: try kind(at: position), position: position)
  }

  private mutating func kind(
    at position: TextPosition
  ) throws(GrammarDiagnostic) -> GrammarToken.Kind {
    guard let character = scanner.peek() else { return .end(of: "text") }
    if let kind = GrammarToken.marks[character] ?? Self.marks[character] {
      scanner.take()
      return kind
    }
    switch character {
    case "#" where position == Self.start:
      return .header(scanner.take { $0 != ";" && !$0.isNewline })
    case "<": return .rule(try enclosed(by: ">", "a rule's name").trimmed)
    case "{": return .tag(try enclosed(by: "}", "a tag"))
    case "/": return .weight(try enclosed(by: "/", "a weight").trimmed)
    case "\"": return .word(try enclosed(by: "\"", "a string"))
    case ">", "}":
      throw GrammarDiagnostic(
        .unexpected(found: "“\(character)”", expected: "a word or a rule"), at: position)
    default: return .word(scanner.take { !$0.isWhitespace && !Self.wordEnds.contains($0) })
    }
  }

  private static let marks: [Character: GrammarToken.Kind] = [
    "=": .equals, ";": .semicolon, "*": .times(minimum: 0, maximum: nil),
    "+": .times(minimum: 1, maximum: nil),
  ]

  private static let wordEnds: Set<Character> = [
    "=", ";", "|", "*", "+", "(", ")", "[", "]", "<", ">", "{", "}", "/", "\"",
  ]

  private mutating func enclosed(
    by end: Character, _ name: String
  ) throws(GrammarDiagnostic) -> String {
    try scanner.takeEnclosed(by: end, name, escape: "\\")
  }

  private mutating func skipBlanksAndComments() throws(GrammarDiagnostic) {
    while true {
      scanner.take(while: \.isWhitespace)
      switch (scanner.peek(), scanner.peek(1)) {
      case ("/", "/"): scanner.take { !$0.isNewline }
      case ("/", "*"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(GrammarDiagnostic) {
    let start = scanner.position
    scanner.take()
    scanner.take()
    while let character = scanner.take() {
      if character == "*", scanner.peek() == "/" {
        scanner.take()
        return
      }
    }
    throw GrammarDiagnostic(.unterminated("a comment"), at: start)
  }
}

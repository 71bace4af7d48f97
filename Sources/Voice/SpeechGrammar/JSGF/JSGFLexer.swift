/// Splits the text of a grammar into tokens, without comments.
struct JSGFLexer {
  private let characters: [Character]
  private var index = 0
  private var line = 1
  private var column = 1

  init(_ text: String) {
    characters = Array(text.first == "\u{FEFF}" ? text.dropFirst() : text[...])
  }

  /// All tokens; the last one is `.end`.
  static func tokens(of text: String) throws(JSGFError) -> [JSGFToken] {
    var lexer = JSGFLexer(text)
    var tokens: [JSGFToken] = []
    repeat {
      tokens.append(try lexer.next())
    } while tokens.last?.kind != .end
    return tokens
  }

  private var position: TextPosition { TextPosition(line: line, column: column) }

  private func peek(_ offset: Int = 0) -> Character? {
    index + offset < characters.count ? characters[index + offset] : nil
  }

  @discardableResult
  private mutating func take() -> Character? {
    guard let character = peek() else { return nil }
    index += 1
    if character.isNewline {
      line += 1
      column = 1
    } else {
      column += 1
    }
    return character
  }

  private mutating func next() throws(JSGFError) -> JSGFToken {
    try skipBlanksAndComments()
    let start = position
    guard let character = peek() else { return JSGFToken(kind: .end, position: start) }
    if let kind = Self.marks[character] {
      take()
      return JSGFToken(kind: kind, position: start)
    }
    let kind: JSGFToken.Kind
    switch character {
    case "#" where index == 0 || line == 1 && start.column == 1: kind = .header(takeHeader())
    case "<": kind = .rule(try takeEnclosed(by: ">", "a rule's name").trimmed)
    case "{": kind = .tag(try takeEnclosed(by: "}", "a tag"))
    case "/": kind = .weight(try takeEnclosed(by: "/", "a weight").trimmed)
    case "\"": kind = .word(try takeEnclosed(by: "\"", "a string"))
    case ">", "}":
      throw JSGFError(
        .unexpected(found: "“\(character)”", expected: "a word or a rule"), at: start)
    default: kind = .word(takeWord())
    }
    return JSGFToken(kind: kind, position: start)
  }

  private static let marks: [Character: JSGFToken.Kind] = [
    "=": .equals, ";": .semicolon, "|": .bar, "*": .star, "+": .plus, "(": .openParenthesis,
    ")": .closeParenthesis, "[": .openBracket, "]": .closeBracket,
  ]

  private static let wordEnds: Set<Character> = [
    "=", ";", "|", "*", "+", "(", ")", "[", "]", "<", ">", "{", "}", "/", "\"",
  ]

  private mutating func skipBlanksAndComments() throws(JSGFError) {
    while let character = peek() {
      if character.isWhitespace {
        take()
      } else if character == "/" && peek(1) == "/" {
        while let next = peek(), !next.isNewline { take() }
      } else if character == "/" && peek(1) == "*" {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(JSGFError) {
    let start = position
    take()
    take()
    while let character = take() {
      if character == "*" && peek() == "/" {
        take()
        return
      }
    }
    throw JSGFError(.unterminated("a comment"), at: start)
  }

  private mutating func takeHeader() -> String {
    var text = ""
    while let character = peek(), character != ";", !character.isNewline {
      text.append(character)
      take()
    }
    return text
  }

  private mutating func takeWord() -> String {
    var text = ""
    while let character = peek(), !character.isWhitespace, !Self.wordEnds.contains(character) {
      text.append(character)
      take()
    }
    return text
  }

  /// The text up to the closing character, which a backslash escapes.
  private mutating func takeEnclosed(
    by end: Character, _ name: String
  ) throws(JSGFError) -> String {
    let start = position
    take()
    var text = ""
    while let character = take() {
      if character == end { return text }
      if character == "\\", let next = take() {
        text.append(next)
      } else {
        text.append(character)
      }
    }
    throw JSGFError(.unterminated(name), at: start)
  }
}

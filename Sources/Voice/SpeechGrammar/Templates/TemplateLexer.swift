/// Splits a line of a template into tokens.
struct TemplateLexer {
  enum Kind: Equatable {
    case word(String)
    /// `<name>`
    case rule(String)
    /// `{name: type}`
    case slot(String)
    /// `/2.5/`
    case weight(String)
    /// `*`, `+`, `*3`, `*2..5`, `*2..`
    case times(minimum: Int, maximum: Int?)
    case openParenthesis, closeParenthesis, openBracket, closeBracket, bar
    /// `-> code`
    case code(String)
    case end
  }

  struct Token: Equatable {
    var kind: Kind
    var position: TextPosition

    /// The name of the token in messages.
    var name: String {
      switch kind {
      case .word(let text): "“\(text)”"
      case .rule(let name): "<\(name)>"
      case .slot(let name): "{\(name)}"
      case .weight(let text): "“/\(text)/”"
      case .times(_, .some): "a number of times"
      case .times(let minimum, nil): minimum == 1 ? "“+”" : "“*”"
      case .openParenthesis: "“(”"
      case .closeParenthesis: "“)”"
      case .openBracket: "“[”"
      case .closeBracket: "“]”"
      case .bar: "“|”"
      case .code: "“->”"
      case .end: "the end of the line"
      }
    }
  }

  private let characters: ArraySlice<Character>
  private let line: Int
  private var index: Int

  /// The tokens of a line, without comments; the last one is `.end`.
  static func tokens(
    of text: ArraySlice<Character>, line: Int
  ) -> Result<[Token], CommandGrammarError> {
    var lexer = TemplateLexer(text, line: line)
    var tokens: [Token] = []
    do {
      repeat {
        if let token = try lexer.next() { tokens.append(token) }
      } while tokens.last?.kind != .end
      return .success(tokens)
    } catch {
      return .failure(error)
    }
  }

  private init(_ characters: ArraySlice<Character>, line: Int) {
    self.characters = characters
    self.line = line
    index = characters.startIndex
  }

  private func peek() -> Character? { index < characters.endIndex ? characters[index] : nil }

  private static let marks: [Character: Kind] = [
    "(": .openParenthesis, ")": .closeParenthesis, "[": .openBracket, "]": .closeBracket, "|": .bar,
  ]

  private static let wordEnds: Set<Character> = [
    "(", ")", "[", "]", "|", "<", ">", "{", "}", "/", "*", "+", "#",
  ]

  /// The next token; `nil` for a word that consists of punctuation only.
  private mutating func next() throws(CommandGrammarError) -> Token? {
    while let character = peek(), character.isWhitespace { index += 1 }
    let position = TextPosition(line: line, column: index + 1)
    guard let character = peek(), character != "#" else {
      return Token(kind: .end, position: position)
    }
    if let kind = Self.marks[character] {
      index += 1
      return Token(kind: kind, position: position)
    }
    switch character {
    case "<":
      return Token(
        kind: .rule(try enclosed(by: ">", "a rule's name", position)), position: position)
    case "{":
      return Token(kind: .slot(try enclosed(by: "}", "a slot", position)), position: position)
    case "/":
      return Token(kind: .weight(try enclosed(by: "/", "a weight", position)), position: position)
    case "*", "+": return Token(kind: times(), position: position)
    case ">", "}":
      throw CommandGrammarError(
        .unexpected(found: "“\(character)”", expected: "a word, a rule or a slot"), at: position)
    default: break
    }
    if character == "-", index + 1 < characters.endIndex, characters[index + 1] == ">" {
      index += 2
      return Token(kind: .code(rest()), position: position)
    }
    var text = ""
    while let character = peek(), !character.isWhitespace, !Self.wordEnds.contains(character) {
      if character == "-", index + 1 < characters.endIndex, characters[index + 1] == ">" { break }
      text.append(character)
      index += 1
    }
    let plain = WrittenWord.plain(text[...])
    if plain.isEmpty { return nil }
    guard WrittenWord.isWord(plain) else { throw CommandGrammarError(.badWord(text), at: position) }
    return Token(kind: .word(plain), position: position)
  }

  private mutating func enclosed(
    by end: Character, _ name: String, _ start: TextPosition
  ) throws(CommandGrammarError) -> String {
    index += 1
    var text = ""
    while let character = peek() {
      index += 1
      if character == end { return text.trimmed }
      text.append(character)
    }
    throw CommandGrammarError(.unterminated(name), at: start)
  }

  private mutating func rest() -> String {
    var text = ""
    while let character = peek(), character != "#" {
      text.append(character)
      index += 1
    }
    return text.trimmed
  }

  private mutating func times() -> Kind {
    let isStar = peek() == "*"
    index += 1
    guard isStar, let minimum = number() else {
      return .times(minimum: isStar ? 0 : 1, maximum: nil)
    }
    guard peek() == ".", index + 1 < characters.endIndex, characters[index + 1] == "." else {
      return .times(minimum: minimum, maximum: minimum)
    }
    index += 2
    return .times(minimum: minimum, maximum: number())
  }

  private mutating func number() -> Int? {
    var text = ""
    while let character = peek(), character.isASCII, character.isNumber, text.count < 9 {
      text.append(character)
      index += 1
    }
    return Int(text)
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmed: String {
    var rest = self[...]
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}

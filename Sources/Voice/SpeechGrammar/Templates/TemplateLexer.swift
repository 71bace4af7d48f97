/// Splits a line of a template into tokens.
struct TemplateLexer {
  private var scanner: GrammarScanner

  /// The tokens of a line, without comments; the last one is the end.
  static func tokens(
    of text: ArraySlice<Character>, line: Int
  ) throws(GrammarDiagnostic) -> [GrammarToken] {
    let start = TextPosition(line: line, column: text.startIndex + 1)
    var lexer = TemplateLexer(scanner: GrammarScanner(text, at: start))
    var tokens: [GrammarToken] = []
    repeat {
      if let token = try lexer.next() { tokens.append(token) }
    } while tokens.last?.isEnd != true
    return tokens
  }

  private static let wordEnds: Set<Character> = [
    "(", ")", "[", "]", "|", "<", ">", "{", "}", "/", "*", "+", "#",
  ]

  private var isAtArrow: Bool { scanner.peek() == "-" && scanner.peek(1) == ">" }

  /// The next token; `nil` for a word that consists of punctuation only.
  private mutating func next() throws(GrammarDiagnostic) -> GrammarToken? {
    scanner.take(while: \.isWhitespace)
    let position = scanner.position
    return try kind(at: position).map { GrammarToken(kind: $0, position: position) }
  }

  private mutating func kind(
    at position: TextPosition
  ) throws(GrammarDiagnostic) -> GrammarToken.Kind? {
    guard let character = scanner.peek(), character != "#" else { return .end(of: "line") }
    if let kind = GrammarToken.marks[character] {
      scanner.take()
      return kind
    }
    switch character {
    case "<": return .rule(try scanner.takeEnclosed(by: ">", "a rule's name").trimmed)
    case "{": return .slot(try scanner.takeEnclosed(by: "}", "a slot").trimmed)
    case "/": return .weight(try scanner.takeEnclosed(by: "/", "a weight").trimmed)
    case "*", "+": return times()
    case ">", "}":
      throw GrammarDiagnostic(
        .unexpected(found: "“\(character)”", expected: "a word, a rule or a slot"), at: position)
    case "-" where isAtArrow:
      scanner.take()
      scanner.take()
      return .code(scanner.take { $0 != "#" }.trimmed)
    default: return try word(at: position)
    }
  }

  private mutating func word(
    at position: TextPosition
  ) throws(GrammarDiagnostic) -> GrammarToken.Kind? {
    var text = ""
    while let character = scanner.peek(), !isAtArrow, !character.isWhitespace,
      !Self.wordEnds.contains(character)
    {
      text.append(character)
      scanner.take()
    }
    let plain = WrittenWord.plain(text[...])
    if plain.isEmpty { return nil }
    guard WrittenWord.isWord(plain) else { throw GrammarDiagnostic(.badWord(text), at: position) }
    return .word(plain)
  }

  private mutating func times() -> GrammarToken.Kind {
    let isStar = scanner.take() == "*"
    guard isStar, let minimum = number() else {
      return .times(minimum: isStar ? 0 : 1, maximum: nil)
    }
    guard scanner.peek() == ".", scanner.peek(1) == "." else {
      return .times(minimum: minimum, maximum: minimum)
    }
    scanner.take()
    scanner.take()
    return .times(minimum: minimum, maximum: number())
  }

  private mutating func number() -> Int? {
    let digits = scanner.take { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? nil : Int(digits) ?? .max
  }
}

/// Reads the characters of a grammar's text one after the other, with their positions.
struct GrammarScanner {
  private let characters: ArraySlice<Character>
  private var index: Int
  /// The position of the next character.
  private(set) var position: TextPosition

  init(_ characters: ArraySlice<Character>, at position: TextPosition) {
    self.characters = characters
    self.position = position
    index = characters.startIndex
  }

  func peek(_ offset: Int = 0) -> Character? {
    index + offset < characters.endIndex ? characters[index + offset] : nil
  }

  @discardableResult
  mutating func take() -> Character? {
    guard let character = peek() else { return nil }
    index += 1
    if character.isNewline {
      position = TextPosition(line: position.line + 1, column: 1)
    } else {
      position.column += 1
    }
    return character
  }

  /// Takes the characters before the first one that does not fit.
  @discardableResult
  mutating func take(while fits: (Character) -> Bool) -> String {
    var text = ""
    while let character = peek(), fits(character) {
      text.append(character)
      take()
    }
    return text
  }

  /// Takes a text in marks, of which the first one comes next.
  ///
  /// - Parameters:
  ///   - name: the name of the text in messages.
  ///   - escape: the mark before a character that stands for itself.
  mutating func takeEnclosed(
    by end: Character, _ name: String, escape: Character? = nil
  ) throws(GrammarDiagnostic) -> String {
    let start = position
    take()
    var text = ""
    while let character = take() {
      if character == end { return text }
      text.append(character == escape ? take() ?? character : character)
    }
    throw GrammarDiagnostic(.unterminated(name), at: start)
  }
}

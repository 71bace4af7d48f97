/// Removes Markdown from text that arrives in pieces, because voices would read it aloud.
package struct PlainSpeech: Sendable {
  private var isAtLineStart = true

  package init() {}

  package mutating func add(_ text: String) -> String {
    var plain = ""
    for character in text {
      switch character {
      case "*", "`",
        "_" where character != "_" || isAtLineStart:
        continue
      case "#" where isAtLineStart, ">" where isAtLineStart: continue
      case "\n":
        isAtLineStart = true
        plain.append(character)
      default:
        if !character.isWhitespace { isAtLineStart = false }
        plain.append(character)
      }
    }
    return plain
  }
}

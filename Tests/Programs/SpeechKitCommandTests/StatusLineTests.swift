import Testing

@testable import SpeechCommand
@testable import speechkit

struct StatusLineTests {
  @Test func `a long line shows its end, or the highlight`() {
    #expect(StatusLine("one two three").drawn(width: 20) == "one two three")
    #expect(StatusLine("one two three").drawn(width: 5) == "three")
    #expect(
      StatusLine("one two three", lit: 4..<7).drawn(width: 20)
        == "one \u{1B}[7mtwo\u{1B}[27m three")
    #expect(
      StatusLine("one two three", lit: 4..<7).drawn(width: 6) == "e \u{1B}[7mtwo\u{1B}[27m ")
    #expect(
      StatusLine("one two three", lit: 8..<99).drawn(width: 4) == "\u{1B}[7mthre\u{1B}[27m")
    #expect(StatusLine("one", lit: 7..<9).drawn(width: 4) == "one")
  }

  @Test func `control characters in a line are replaced`() {
    #expect(StatusLine("a\u{1B}[2Jb\nc").drawn(width: 20) == "a\u{FFFD}[2Jb\u{FFFD}c")
  }
}

struct TextColumnsTests {
  @Test(arguments: [
    ("a bc def", 4, ["a bc", "def"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("漢字漢字", 5, ["漢字", "漢字"]), ("", 4, [""]), ("one\n\ntwo", 9, ["one", "", "two"]),
  ])
  func `text is wrapped between words where possible`(text: String, width: Int, lines: [String]) {
    #expect(TextColumns.wrapped(text, to: width) == lines)
  }
}

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

import Testing

@testable import SpeechCloud

struct PlainSpeechTests {
  @Test(arguments: [
    (["A **bold** word."], "A bold word."),
    (["# Title\n> quo", "ted\n#", " next"], " Title\n quoted\n next"),
    (["Run `make", "` in snake_case."], "Run make in snake_case."),
    (["_so_"], "so_"),
    (["C# is 3 > 2"], "C# is 3 > 2"),
  ])
  func `marks of Markdown are left out, also across pieces`(pieces: [String], plain: String) {
    var speech = PlainSpeech()
    #expect(pieces.map { speech.add($0) }.joined() == plain)
  }
}

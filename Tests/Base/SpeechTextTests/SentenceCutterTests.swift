import SpeechText
import Testing

struct SentenceCutterTests {
  @Test(arguments: [
    "Let me look.", "Let me look. ", "Really?", "She said “no.”", "(Not now!) ", "はい。", "One.\n",
  ])
  func `a text that ends with a sentence is recognised without what follows`(text: String) {
    #expect(SentenceCutter.isAtEndOfSentence(Array(text.unicodeScalars)))
  }

  @Test(arguments: ["", " ", "Let me", "I saw Dr.", "It costs 3.", "e.g.", "well,", "\""])
  func `a text that may continue is not`(text: String) {
    #expect(!SentenceCutter.isAtEndOfSentence(Array(text.unicodeScalars)))
  }
}

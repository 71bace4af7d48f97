import SpeechText
import TestSupport
import Testing

struct SpeakableTextFilterTests {
  private func filtered(_ text: String, for language: String = "en") -> SpeakableText {
    var filter = SpeakableTextFilter(writing: .of(language: language))
    var result = SpeakableText()
    for (offset, scalar) in text.unicodeScalars.enumerated() {
      filter.append(scalar, from: offset..<offset + 1, to: &result)
    }
    return result
  }

  @Test(arguments: [
    ("plain text, as it is.", "plain text, as it is."),
    ("tab\there\nand line", "tab\there\nand line"),
    ("nul\u{0}bell\u{7}escape\u{1B}delete\u{7F}", "nulbellescapedelete"),
    ("c1\u{80}\u{9F}gone", "c1gone"),
    ("win\r\nmac\runix\n", "win\nmac\nunix\n"),
    ("separator\u{2028}line\u{2029}paragraph", "separator\nline\n\nparagraph"),
    ("no\u{A0}break\u{3000}wide\u{2009}thin", "no break wide thin"),
    ("soft\u{AD}hyphen\u{200B}\u{FEFF}\u{202E}", "softhyphen "),
    ("cafe\u{301}", "café"),
    ("ﬁne \u{FF21}\u{FF22} \u{2460} 5\u{2103}", "fine AB 1 5°C"),
    ("smile 😀 here", "smile   here"),
    ("mixed наш हिन्दी 日本 text", "mixed        text"),
    ("“quoted” – and…", "“quoted” – and…"),
    ("x's's's's's's", "x's's's 's's's"),
    ("nooooooooooooooooooo", "noooooooo"),
    ("9999999999999999", "9999999999999999"),
  ])
  func `harmful and silent characters are removed`(text: String, expected: String) {
    #expect(filtered(text).string == expected)
  }

  @Test(arguments: [
    ("en", "well-known -5 a -b ---c \"-d e1-f", "well-known -5 a  b -- c \" d e1-f"),
    ("vi", "---ṟ a-b -5", "-- ṟ a b -5"),
    ("da", "e-mail", "e mail"),
    ("hi", "क-ख", "क ख"), ("en", "3-day", "3-day"),
  ])
  func `a hyphen stays between letters, for voices that support it`(
    language: String, text: String, expected: String
  ) {
    #expect(filtered(text, for: language).string == expected)
  }

  @Test(arguments: [
    ("en", "1234567890123456789", "1234567890123456 789"),
    ("yue", "123456789012", "1234567890 12"),
    ("fr", "0,00000000000000000000", "0,0000000000000000 0000"),
    ("en", "1.2.3.4.5.6.7.8.9.10", "1.2.3.4.5.6.7.8. 9.10"),
    ("en", "1,000,000 3.14 192.168.178.100", "1,000,000 3.14 192.168.178.100"),
    ("hi", "१२३", "123"),
    ("ar", "٤٥٦٧", "4567"),
    ("en", "٣ ３", "3 3"),
  ])
  func `numbers are plain and of bounded length`(
    language: String, text: String, expected: String
  ) {
    #expect(filtered(text, for: language).string == expected)
  }

  @Test(arguments: [
    ("ne", "–&॰ क।", "–& ॰ क।"),
    ("gu", "/૱\"", "/ ૱ \""),
    ("hy", "ինչպե՞ս ՟*", "ինչպե՞ս ՟ *"),
    ("ja", "「は」!", "「は」!"),
  ])
  func `signs of a script are separated from shared ones where eSpeak NG needs it`(
    language: String, text: String, expected: String
  ) {
    #expect(filtered(text, for: language).string == expected)
  }

  @Test func `runs without a blank are broken at their longest`() {
    let text = filtered(String(repeating: "ab", count: 100)).string
    #expect(text.split(separator: " ").map(\.count) == [60, 60, 60, 20])
  }

  @Test(arguments: [
    ("ru", "Привет, мир! abc", "Привет, мир!    "),
    ("hi", "नमस्ते दुनिया। abc", "नमस्ते दुनिया।    "),
    ("ja", "こんにちは、世界。", "こんにちは、世界。"),
    ("el", "Καλημέρα", "Καλημέρα"),
    ("gu", "ફ઼િલ્મ", "ફિલ્મ"),
    ("ar", "مرحبا؟", "مرحبا؟"),
    ("vi", "Tiếng Việt", "Tiếng Việt"),
    ("en", "Привет abc", "       abc"),
  ])
  func `a voice receives its own script only`(language: String, text: String, expected: String) {
    #expect(filtered(text, for: language).string == expected)
  }

  @Test func `ASCII voices receive plain forms`() {
    var filter = SpeakableTextFilter(writing: .ascii)
    var result = SpeakableText()
    for (offset, scalar) in "“Ça” – Straße: £5 naïve…".unicodeScalars.enumerated() {
      filter.append(scalar, from: offset..<offset + 1, to: &result)
    }
    #expect(result.string == "\"Ca\"  -  Strasse:  pounds 5 naive...")
  }

  @Test func `each character keeps its origin`() {
    let text = filtered("a\u{0}😀e\u{301}\u{FB01}b")
    #expect(text.string == "a éfib")
    #expect(text.origins == [0..<1, 2..<3, 3..<5, 5..<6, 5..<6, 6..<7])
    #expect(text.origin(of: 2..<4) == 3..<6)
  }

  @Test(arguments: ["", " \n\t", "\u{0}\u{1}", "😀🎉", "... !?", "—"])
  func `text without speakable characters is silent`(text: String) {
    #expect(!filtered(text).isSpeakable)
  }

  @Test(arguments: ["a", "7", "é", "50%", "$", "+"])
  func `letters, digits and named symbols are speakable`(text: String) {
    #expect(filtered(text).isSpeakable)
  }

  @Test func `the output stays within the limits of eSpeak NG`() {
    var random = SplitMix(seed: 7)
    for _ in 0..<300 {
      var text = String.UnicodeScalarView()
      for _ in 0..<random.next(200) {
        if let scalar = Unicode.Scalar(UInt32(random.next(0x11_0000))) { text.append(scalar) }
      }
      for language in ["en", "hi", "ja", "ru"] {
        let result = filtered(String(text), for: language)
        #expect(result.scalars.count == result.origins.count)
        let writing = WritingSystem.of(language: language)
        #expect(result.scalars.allSatisfy { writing.contains($0) })
        let runs = result.scalars.split { $0.isBlank }
        #expect(runs.allSatisfy { $0.count <= writing.longestRun })
      }
    }
  }
}

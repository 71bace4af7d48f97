import Testing

@testable import SpeechWhisper

struct WhisperReadingTests {
  private func tokens(_ texts: [String], log: Float = -0.1) -> [WhisperToken] {
    texts.enumerated().map { index, text in
      WhisperToken(
        bytes: Array(text.utf8), probability: 0.9, logProbability: log,
        end: 0.5 * Double(index + 1))
    }
  }

  @Test(
    arguments: [
      ([" Print", "ing", ",", " in"], "Printing, in"),
      ([" [", "BL", "ANK", "_", "AUDIO", "]"], ""),
      ([" (", "water", " running", ")", " Hello", "."], "Hello."),
      ([" ♪", " la", " la", " ♪"], ""),
      ([" (", "one"], "(one"),
      ([" ...", " -"], ""),
      ([], ""),
    ] as [([String], String)])
  func `tokens become words, and remarks are dropped`(texts: [String], expected: String) {
    #expect(WhisperReading(tokens(texts), duration: 10).text == expected)
  }

  @Test func `bytes of a character may be in several tokens`() {
    let bytes = Array(" Müller".utf8)
    let halves = [bytes[..<3], bytes[3...]].map {
      WhisperToken(bytes: Array($0), probability: 1, logProbability: 0, end: 1)
    }
    #expect(WhisperReading(halves, duration: 2).text == "Müller")
  }

  @Test func `a word ends before the sign after it, and begins after the word before it`() {
    let words = WhisperReading(tokens([" Well", ",", " yes"]), duration: 1.2).words
    #expect(words.map(\.end) == [0.5, 1.2])
    #expect(words[1].start >= 0.5)
  }

  @Test(
    arguments: [
      ("ten of clubs ten of clubs", true), ("ten of clubs", false),
      ("I said I said", false), ("zero zero zero zero", false),
      ("what time is it? What time is it", true), ("no no no no no no", true),
    ])
  func `three words said twice in a row are a repetition`(text: String, expected: Bool) {
    let reading = WhisperReading(tokens(text.split(separator: " ").map { " " + $0 }), duration: 99)
    #expect(reading.repeatsItself == expected)
  }

  @Test func `a loop is reduced to its first round, and true repetition stays`() {
    let text = "and then we went home we went home we went home we went home again"
    let words = text.split(separator: " ").map { " " + $0 }
    var spoken = WhisperReading(tokens(words), duration: 99)
    spoken.breakLoops()
    #expect(spoken.text == text)

    // The words of a loop all end with the audio.
    var loop = WhisperReading(tokens(words), duration: 3)
    loop.breakLoops()
    #expect(loop.text == "and then we went home again")
  }

  @Test func `words that two drafts agree on stay`() {
    var agreement = WordAgreement()
    let drafts = ["I", "I would", "I would like", "I wood like to", "I would like tea", "Eye"]
    var texts: [String] = []
    for draft in drafts {
      let words = draft.split(separator: " ").map { " " + $0 }
      agreement.add(WhisperReading(tokens(words), duration: 99))
      texts.append(agreement.text)
    }
    #expect(
      texts == [
        "I", "I would", "I would like", "I would like to", "I would like tea", "I would like tea",
      ])
    #expect(agreement.stableText == "I would like")
  }

  @Test(arguments: [
    // The same, with other signs and more words.
    ("Well i would like some tea. Please.", "Well, I would like some tea. Please."),
    // A word too many, a word too few, another word.
    ("Well then I would like some tea.", "Well, I would like some tea."),
    ("I would like tea.", "Well, I would like tea."),
    ("Well, I wood like tea.", "Well, I would like tea."),
    // Nothing after the stable words.
    ("Well, I would like", "Well, I would like"), ("Well I", "Well, I would like"),
    ("", "Well, I would like"),
  ])
  func `a complete text begins with the stable words`(final: String, text: String) {
    func reading(_ text: String) -> WhisperReading {
      WhisperReading(tokens(text.split(separator: " ").map { " " + $0 }), duration: 99)
    }
    var agreement = WordAgreement()
    for draft in ["Well, I would like", "Well, I would like some"] { agreement.add(reading(draft)) }
    #expect(agreement.stableText == "Well, I would like")
    #expect(agreement.completed(by: reading(final)).text == text)
    #expect(agreement.completed(by: reading(final)).confidence < 1)
    #expect(WordAgreement().completed(by: reading(final)).text == reading(final).text)
  }
}

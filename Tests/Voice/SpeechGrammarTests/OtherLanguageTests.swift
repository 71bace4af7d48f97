import Testing

@testable import SpeechGrammar

@Suite struct OtherLanguageTests {
  /// The part of a language that a test needs.
  private struct German: SpokenLanguage {
    let identifier = "de"
    private let numbers = ["null", "eins", "zwei", "drei"]

    func phrase(for type: SlotType) -> Phrase {
      guard case .number(let range) = type else { return .never }
      return .choice(
        numbers.enumerated().filter { range.contains($0.offset) }.map {
          Phrase.Alternative(.tagged(.word($0.element), ["\($0.offset)"]))
        })
    }

    func readings(of written: ArraySlice<String>) -> [WrittenReading] {
      written.first.flatMap { Int($0) }.flatMap { numbers.indices.contains($0) ? numbers[$0] : nil }
        .map { [WrittenReading(words: [$0])] } ?? []
    }
  }

  @Test func `another language has its own numbers`() throws {
    let german = GrammarLanguage(German())
    let template = "language: de\nintent a: nimm {n: number 1 to 3}"
    let grammar = try CommandGrammar(template: template, languages: [.english, german])
    let matcher = try CommandMatcher(grammar)
    #expect(matcher.match("Nimm zwei!")?["n"]?.integer == 2)
    #expect(matcher.match("nimm 3")?["n"]?.integer == 3)
    #expect(matcher.match("nimm null") == nil)
    #expect(throws: CommandGrammarError.self) { try CommandGrammar(template: template) }
    // Phrases that a language lacks cannot be spoken.
    let error = #expect(throws: CommandGrammarError.self) {
      try CommandGrammar(template: "intent a: am {date}", languages: [german])
    }
    #expect(error?.diagnostics.map(\.kind) == [.unspeakable("the intent a")])
  }
}

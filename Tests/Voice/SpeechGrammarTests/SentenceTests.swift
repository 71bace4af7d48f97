import TestSupport
import Testing

@testable import SpeechGrammar

@Suite struct SentenceTests {
  private func grammar(_ line: String) throws -> CommandGrammar {
    try CommandGrammar(template: "intent a: " + line)
  }

  @Test func `sentences are listed in source order`() throws {
    let grammar = try grammar("(a | b) [c] d*2")
    #expect(try grammar.sentences(limit: 10) == ["a c d d", "a d d", "b c d d", "b d d"])
    #expect(try grammar.sentences(limit: 2) == ["a c d d", "a d d"])
    #expect(try grammar.sentences(limit: 0).isEmpty)
    #expect(try grammar.sentenceCount() == .exactly(4))
  }

  @Test func `unbounded repetitions are listed up to a limit`() throws {
    let endless = try grammar("a b* c")
    #expect(try endless.sentenceCount() == .endless)
    #expect(try endless.sentences(limit: 10) == ["a b b c", "a b c", "a c"])
    let nested = try grammar("(a b+)+")
    #expect(try nested.sentences(limit: 1000).count > 3)
  }

  @Test func `huge numbers of sentences are counted without listing them`() throws {
    #expect(
      try grammar("{number 0..9}".replacing("number 0..9", with: "n: number 0..9")).sentenceCount()
        == .exactly(11))
    #expect(try grammar("(a | b)*40").sentenceCount() == .exactly(1 << 40))
    #expect(try grammar("(a | b)*40 (a | b)*40").sentenceCount() == .uncountable)
    let home = try Home.grammar.sentenceCount()
    #expect(home == .endless)
  }

  @Test func `random sentences are the same for the same seed and follow the weights`() throws {
    func sentences(seed: UInt64) throws -> [String] {
      var random = SplitMix(seed: seed)
      return try Home.grammar.randomSentences(100, using: &random)
    }
    let first = try sentences(seed: 5)
    #expect(try sentences(seed: 5) == first)
    #expect(try sentences(seed: 6) != first)
    let matcher = try Home.matcher()
    for sentence in first { #expect(matcher.match(sentence) != nil, "\(sentence)") }
    let weighted = try grammar("/9/ often | seldom")
    var random = SplitMix(seed: 1)
    let often = try weighted.randomSentences(1000, using: &random).filter { $0 == "often" }.count
    #expect((850...950).contains(often))
  }

  @Test func `every listed sentence is matched`() throws {
    let matcher = try Home.matcher()
    for sentence in try Home.grammar.sentences(limit: 2000) {
      #expect(matcher.match(sentence) != nil, "\(sentence)")
    }
  }
}

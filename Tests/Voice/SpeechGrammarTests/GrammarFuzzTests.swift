import Foundation
import TestSupport
import Testing

@testable import SpeechGrammar

/// Random broken texts: none of them may end the process, or keep it busy.
@Suite struct GrammarFuzzTests {
  private static let count = Endurance.count(full: 1_000, short: 150)

  private func broken(
    _ seeds: [[Character]], _ pieces: [String], _ random: inout SplitMix
  ) -> String {
    var text = seeds[random.next(seeds.count)]
    for _ in 0...random.next(6) {
      let place = random.next(text.count + 1)
      switch random.next(5) {
      case 0 where !text.isEmpty: text.remove(at: min(place, text.count - 1))
      case 1 where !text.isEmpty:
        let end = min(place + random.next(12), text.count)
        text.removeSubrange(place..<end)
      case 2 where !text.isEmpty:
        let start = random.next(text.count)
        let part = text[start..<min(start + random.next(20), text.count)]
        text.insert(contentsOf: part, at: place)
      default: text.insert(contentsOf: Array(pieces[random.next(pieces.count)]), at: place)
      }
    }
    return String(text)
  }

  /// Uses an accepted grammar in every way.
  private func use(_ grammar: CommandGrammar, _ random: inout SplitMix) throws {
    let matcher = try CommandMatcher(grammar)
    let listed = try grammar.sentences(limit: 3)
    let chance = try grammar.randomSentences(2, using: &random)
    for sentence in listed + chance where sentence.count < 2_000 && !sentence.isEmpty {
      // Punctuation that a word of JSGF may consist of is not a word to a reader of texts.
      let isPlain = sentence.split(separator: " ").allSatisfy {
        WrittenWord.plain($0) == String($0)
      }
      if isPlain { #expect(matcher.match(sentence) != nil, "\(sentence)") }
    }
    _ = try grammar.sentenceCount()
    _ = try JSGFGrammar(grammar.jsgfText())
  }

  @Test func `any template gives a grammar or an error`() throws {
    let seeds = [
      Home.template,
      "intent a: x\n",
      "intent a /2/:\n  (a | [b] c)*2..3 {s}+ <r>\nrule r: x | y <r>\nslot s: a | b\n",
      "intent a: x {n: number 3..17} {date}\nslot t:\n  /2/ (big | large) one -> 1\n",
    ].map(Array.init)
    let pieces = [
      "(", ")", "[", "]", "{", "}", "<", ">", "|", "*", "+", "/", "/2/", "->", ":", "#", "\n", " ",
      "..", "*3", "*2..", "{n: number 1 to 99}", "{time}", "<r>", "intent b:\n", "rule r:\n",
      "slot s:\n",
      "\u{0}", "é", "😀", "’", "\r\n", "\u{2028}", "999999999999", "language: en\n", "x", "“", "-",
    ]
    var random = SplitMix(seed: 11)
    var accepted = 0
    for _ in 0..<Self.count {
      let text = broken(seeds, pieces, &random)
      guard let grammar = try? CommandGrammar(template: text) else { continue }
      accepted += 1
      // Using a grammar costs a hundred times as much as parsing it.
      if accepted % 20 == 0 { try use(grammar, &random) }
    }
    #expect(accepted > Self.count / 50)
  }

  @Test func `any JSGF gives a grammar or an error`() throws {
    let header = "#JSGF V1.0;\ngrammar g;\n"
    let seeds = [
      header + "public <a> = [ b ] (c | /2/ d) <e>* {t} \"f g\"; <e> = h+ | [i] [j];",
      header
        + "public <a> = b <c>; <c> = d {x} | e <a>; // x\n public <f> = (<c> {y} | <NULL>)+ z;",
      header
        + "import <x.*>; /* c */ public <a> = (<b>)* end; <b> = [<c>]; <c> = [x] [y] | <d>; "
        + "<d> = (x*)*;",
      header + "public <a> = b (c | (d | (e [f [g]]))) <VOID> | h;",
    ].map(Array.init)
    let pieces = [
      "(", ")", "[", "]", "{t}", "{", "}", "<", ">", "<a>", "<b>", "<NULL>", "<VOID>", "|", "*",
      "+", "/",
      "/0/", "/2/", ";", "=", "\"", "\\", "#", "//", "/*", "*/", "\u{0}", "é", "😀", "\n", " ", "x",
      "public <n> = ", "import <g.x>;", "public ",
    ]
    var random = SplitMix(seed: 12)
    var accepted = 0
    for _ in 0..<Self.count {
      let text = broken(seeds, pieces, &random)
      guard let grammar = try? JSGFGrammar(text) else { continue }
      accepted += 1
      #expect(!grammar.written().isEmpty)
      guard accepted % 4 == 0 else { continue }
      do {
        try use(CommandGrammar(grammar), &random)
      } catch let error as CommandGrammarError {
        // Strings of JSGF may hold characters that no dictionary has.
        #expect(
          error.diagnostics.allSatisfy {
            if case .badWord = $0.kind { true } else { false }
          }, "\(text)")
      }
    }
    #expect(accepted > Self.count / 50)
  }

  @Test func `any text can be matched`() throws {
    let matcher = try Home.matcher()
    let seeds = [
      "please turn off the living room lights", "wake me at 7:30 p.m.", "dial 1 2 3 4",
      "remind me 7pm in 90 seconds or May 3rd, 2030", "dim living-room to 50%",
    ].map(Array.init)
    let pieces = [
      " ", ":", ".", ",", "-", "1", "99999999999999999999", "1,000", "'", "’", "th", "pm", "%",
      "\u{0}",
      "é", "😀", "\n", "٣", "½", "(", ")", "/", "…",
    ]
    var random = SplitMix(seed: 13)
    for _ in 0..<Self.count {
      let text = broken(seeds, pieces, &random)
      for reading in matcher.readings(of: text, limit: 2) {
        for slot in reading.slots {
          #expect(slot.words.upperBound <= reading.words.count && !slot.words.isEmpty)
        }
      }
    }
  }
}

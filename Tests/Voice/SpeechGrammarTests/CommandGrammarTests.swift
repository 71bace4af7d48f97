import TestSupport
import Testing

@testable import SpeechGrammar

@Suite struct CommandGrammarTests {
  @Test func `Swift and a file of templates give the same grammar`() throws {
    let read = try CommandGrammar(template: Home.template)
    #expect(read.intents.map(\.name) == Home.grammar.intents.map(\.name))
    for (left, right) in zip(read.intents, Home.grammar.intents) { #expect(left == right) }
    #expect(read.rules == Home.grammar.rules)
    #expect(read == Home.grammar)
  }

  @Test func `conditions and loops are possible in a builder`() throws {
    let names = ["anna", "bert"]
    let isPolite = true
    let grammar = CommandGrammar("calls") {
      for name in names {
        Intent("call_\(name)") {
          if isPolite { "please" }
          "call"
          OneOf {
            name
            if name == "anna" { "annie" }
          }
        }
      }
    }
    #expect(
      try grammar.sentences(limit: 10) == [
        "please call anna", "please call annie", "please call bert",
      ])
  }

  @Test func `the JSGF is equivalent and can be parsed again`() throws {
    let text = try Home.grammar.jsgfText()
    let again = try JSGFGrammar(text)
    let matcher = try CommandMatcher(CommandGrammar(again))
    var random = SplitMix(seed: 1)
    for sentence in try Home.grammar.randomSentences(200, using: &random) {
      #expect(matcher.match(sentence) != nil, "\(sentence)")
    }
    #expect(matcher.match("turn on the") == nil)
    #expect(try Home.grammar.jsgf().rules.contains { $0.name == "commands of all kinds" })
  }

  @Test func `repetitions are expanded`() throws {
    func text(_ times: Phrase) throws -> String {
      let grammar = CommandGrammar(
        name: "g", intents: [.init(name: "a", phrase: .joined([.word("x"), times]))])
      return try grammar.jsgfText().split(separator: "\n").last.map(String.init) ?? ""
    }
    let word = Phrase.word("y")
    #expect(
      try text(.repeated(word, minimum: 1, maximum: 3)) == "<r0> = ( x ( y [ ( y [ y ] ) ] ) );")
    #expect(try text(.repeated(word, minimum: 2, maximum: 2)) == "<r0> = ( x ( y y ) );")
    #expect(try text(.repeated(word, minimum: 2, maximum: nil)) == "<r0> = ( x ( y ( y )+ ) );")
    #expect(try text(.repeated(word, minimum: 0, maximum: nil)) == "<r0> = ( x ( y )* );")
  }

  // MARK: - What is refused

  private func problems(_ grammar: CommandGrammar) -> [GrammarDiagnostic.Kind] {
    do {
      try grammar.check()
      return []
    } catch {
      return error.diagnostics.map(\.kind)
    }
  }

  private func problems(
    _ phrase: Phrase, rules: [CommandGrammar.Rule] = []
  ) -> [GrammarDiagnostic.Kind] {
    problems(CommandGrammar(name: "g", intents: [.init(name: "a", phrase: phrase)], rules: rules))
  }

  @Test func `endless and unspeakable parts are rejected by name`() {
    #expect(problems(CommandGrammar("g") {}) == [.noIntent])
    #expect(problems(.rule("b")) == [.undefinedRule("b")])
    #expect(problems(.never) == [.unspeakable("the intent a")])
    #expect(problems(.nothing) == [.wordless("the intent a")])
    #expect(problems(.optional(.nothing)) == [.wordless("the intent a")])
    #expect(problems(.word("two words")) == [.badWord("two words")])
    #expect(problems(.word("a|b")) == [.badWord("a|b")])
    #expect(
      problems(.choice([.init(.word("b"), weight: -1)])) == [.badWeight("-1.0")])
    #expect(problems(.slot("s", .values([]))) == [.undefinedSlot("s")])
    #expect(
      problems(.slot("s", .values([Value(code: "x") { Optionally { "y" } }])))
        == [.wordless("the value “x” of {s}")])
    #expect(
      problems(.slot("s", .values([Value(code: "x") { Slot("t", .time) }]))) == [.slotInSlot("t")])
    #expect(
      problems(
        .slot("s", .values([Value(code: "x") { Rule("r") }])),
        rules: [.init(name: "r", phrase: .slot("t", .time))]) == [.slotInSlot("s")])
    for range in [-1...5, 0...1_000_000] {
      #expect(problems(.slot("s", .number(range))).first?.isBadRange == true)
    }
    for (low, high) in [(-1, 2), (3, 2), (0, 0), (0, 1000)] {
      let repeated = Phrase.repeated(.word("x"), minimum: low, maximum: high)
      #expect(problems(repeated).first?.isBadRange == true, "\(low) to \(high)")
    }
  }

  @Test func `recursion is allowed at the end only`() throws {
    func rule(_ name: String, _ phrase: Phrase) -> CommandGrammar.Rule {
      .init(name: name, phrase: phrase)
    }
    let word = Phrase.word("x")
    #expect(
      problems(.rule("r"), rules: [rule("r", .either([.joined([.rule("r"), word]), word]))])
        == [.recursion("the rule <r>")])
    #expect(
      problems(.rule("r"), rules: [rule("r", .either([.joined([word, .rule("r"), word]), word]))])
        == [.recursion("the rule <r>")])
    let atEnd = CommandGrammar(
      name: "g", intents: [.init(name: "a", phrase: .joined([.rule("r"), .word("end")]))],
      rules: [
        rule("r", .either([.joined([word, .rule("s")]), .word("y")])),
        rule("s", .either([.joined([.word("z"), .rule("r")]), .word("w")])),
      ])
    let matcher = try CommandMatcher(atEnd)
    for sentence in ["y end", "x w end", "x z y end", "x z x z x w end"] {
      #expect(matcher.match(sentence) != nil, "\(sentence)")
    }
    #expect(matcher.match("x z end") == nil)
    #expect(try atEnd.sentenceCount() == .endless)
    #expect(try atEnd.sentences(limit: 3).count == 3)
    var random = SplitMix(seed: 3)
    #expect(try atEnd.randomSentences(50, using: &random).allSatisfy { matcher.match($0) != nil })
  }

  @Test func `a huge grammar is rejected quickly`() throws {
    let words = (0..<1_000_000).map { Phrase.word("w\($0)") }
    let clock = ContinuousClock()
    let duration = clock.measure {
      #expect(problems(.either(words)).first?.isTooLarge == true)
    }
    #expect(duration < .seconds(20))
    // Forty to the tenth, in one line.
    let power = (0..<10).reduce(Phrase.word("x")) { phrase, _ in
      .repeated(phrase, minimum: 40, maximum: 40)
    }
    #expect(problems(power).first?.isTooLarge == true)
    let doubling = (0..<40).map {
      CommandGrammar.Rule(
        name: "r\($0)", phrase: .joined([.rule("r\($0 + 1)"), .rule("r\($0 + 1)")]))
    }
    for last in [Phrase.word("x"), .optional(.nothing), .nothing] {
      let rules = doubling + [.init(name: "r40", phrase: last)]
      let found = problems(.joined([.word("x"), .rule("r0")]), rules: rules)
      #expect(found.first?.isTooLarge == true)
    }
    let chain = (0..<20_000).map {
      CommandGrammar.Rule(name: "r\($0)", phrase: .joined([.word("x"), .rule("r\($0 + 1)")]))
    }
    let found = problems(.rule("r0"), rules: chain + [.init(name: "r20000", phrase: .word("x"))])
    #expect(found.first?.isTooLarge == true)
  }

  @Test func `a phrase that is said exactly once keeps its depth`() {
    let counted = Phrase.repeated(.word("x"), minimum: 0, maximum: 40)
    #expect(problems(.joined([.word("y"), counted])).isEmpty)
    for inner in [counted, .repeated(counted, minimum: 1, maximum: 1)] {
      let outer = Phrase.repeated(.joined([.word("y"), inner]), minimum: 0, maximum: 40)
      #expect(problems(.joined([.word("z"), outer])).first?.isTooLarge == true)
    }
  }

  @Test func `a grammar of ten thousand sentences is compiled in seconds`() throws {
    let nouns = (0..<100).map { "noun\($0)" }
    let verbs = (0..<100).map { "verb\($0)" }
    var lines = ["intent all:"]
    for verb in verbs { for noun in nouns { lines.append("  \(verb) the \(noun) right now") } }
    let text = lines.joined(separator: "\n")
    let clock = ContinuousClock()
    var grammar = CommandGrammar("empty") {}
    let reading = try clock.measure { grammar = try CommandGrammar(template: text) }
    let compiling = try clock.measure { _ = try grammar.jsgfText() }
    var matcher: CommandMatcher?
    let indexing = try clock.measure { matcher = try CommandMatcher(grammar) }
    let matching = clock.measure {
      for number in 0..<100 {
        #expect(matcher?.match("verb\(number) the noun\(99 - number) right now") != nil)
      }
    }
    #expect(try grammar.sentenceCount() == .exactly(10_000))
    print(
      "10,000 sentences: read \(reading), compiled \(compiling), network \(indexing), "
        + "100 matched \(matching)")
    #expect(reading + compiling + indexing < .seconds(30))
  }
}

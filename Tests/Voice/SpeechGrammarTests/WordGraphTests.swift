import Testing

@testable import SpeechGrammar

struct WordGraphTests {
  private static let header = "#JSGF V1.0;\ngrammar g;\n"

  private func graph(_ rules: String) throws -> WordGraph {
    try JSGFGrammar(Self.header + rules).wordGraph()
  }

  private static let shapes = [
    "public <a> = turn (on | off) [the] lights;",
    "public <a> = [a] [b] [c] [d] [e] [f] [g] [h] [i] [j] [k] [l] z;",
    "public <a> = (a [b [c [d]]] | [e] [f] g)+;",
    "public <a> = a* b* [c] d*; ",
    "public <a> = (a* b*)* c;",
    "public <a> = <b> <b> c <b>; <b> = [x] | <NULL> | y z;",
    "public <a> = b | b <a>; public <c> = [<a>] d;",
    "public <a> = b <c>; <c> = d | e <a>;",
    "public <a> = [b | c | d | e | f | g | h | i | j | k] [<l>] (m | [n] o); <l> = p | q;",
    "public <a> = /5/ b | /1/ [c] d | /0/ e;",
  ]

  @Test(arguments: shapes)
  func `the sentences of the graph are those of the grammar`(rules: String) throws {
    let grammar = try JSGFGrammar(Self.header + rules)
    let graph = try grammar.wordGraph()
    let walk = GraphWalk(graph)
    let matcher = try CommandMatcher(CommandGrammar(grammar))
    let words = Set(grammar.words).sorted()
    // All texts of up to three words, in and out of the grammar.
    var texts: [[String]] = [[]]
    var last = texts
    for _ in 0..<(words.count > 8 ? 2 : 3) {
      last = last.flatMap { text in words.map { text + [$0] } }
      texts += last
    }
    for text in texts where !text.isEmpty {
      let isSentence = matcher.match(text.joined(separator: " ")) != nil
      #expect(walk.accepts(text) == isSentence, "\(text)")
      #expect(graph.sentence(of: text) == (isSentence ? text : nil), "\(text)")
    }
    for sentence in try CommandGrammar(grammar).sentences(limit: 100) {
      #expect(walk.accepts(sentence.split(separator: " ").map(String.init)), "\(sentence)")
    }
  }

  @Test(arguments: shapes)
  func `no step without a word needs another one after it`(rules: String) throws {
    let silent = try graph(rules).transitions.filter { $0.word < 0 }
    let pairs = Set(silent.map { [$0.from, $0.to] })
    for one in silent {
      for other in silent where other.from == one.to {
        #expect(pairs.contains([one.from, other.to]))
      }
    }
  }

  @Test func `a sentence is found in any letter case, and spelled by the grammar`() throws {
    let graph = try graph("public <a> = call (Ann | Bo) [now];")
    #expect(graph.sentence(of: ["Call", "ann"]) == ["call", "Ann"])
    #expect(graph.sentence(of: ["call", "bo", "NOW"]) == ["call", "Bo", "now"])
    #expect(graph.sentence(of: ["call"]) == nil)
    #expect(graph.sentence(of: ["call", "bo", "ann"]) == nil)
  }

  @Test func `alternatives share the words that follow them`() throws {
    let rooms = (0..<50).map { "room\($0)" }.joined(separator: " | ")
    let graph = try graph("public <a> = (turn | switch) [on] [the] (\(rooms));")
    #expect(graph.transitions.count { $0.word >= 0 } < 60)
  }

  @Test func `the ways to continue are counted before each word of a sentence`() throws {
    let order = try graph("public <a> = [a] (b | c | d) [e] f;")
    #expect(order.choices(along: ["a", "b", "f"]) == [4, 3, 2])
    #expect(order.choices(along: ["c", "e", "f"]) == [4, 2, 1])
    // One of them is the end of the sentence.
    let loop = try graph("public <a> = (b | c | d)+;")
    #expect(loop.choices(along: ["b", "d", "b"]) == [3, 4, 4])
    #expect(loop.choices(along: ["x", "b"]) == [3, 1])
  }

  @Test func `weights make alternatives less likely`() throws {
    let graph = try graph("public <a> = /4/ b | /2/ c | /1/ [d] e;")
    let weights = graph.transitions.filter { $0.from == graph.start }.map { transition in
      "\(graph.words[Int(transition.word)]) \(transition.weight)"
    }
    #expect(weights == ["b 0", "c -693147", "d -1386294", "e -1386294"])
  }

  // MARK: - Size

  /// The error with its line, or `nil` if the grammar can be used.
  private func problem(_ rules: String) -> GrammarDiagnostic? {
    do throws(JSGFError) {
      _ = try JSGFGrammar(Self.header + rules)
      return nil
    } catch {
      return error
    }
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: " ")
  }

  @Test(arguments: ["[yes]", "yes*", "<b>", "(yes | <NULL>)", "[[yes] [no]]", "[yes | no]*"])
  func `more optional parts in a row than a recogniser can search are rejected with their rule`(
    part: String
  ) {
    let tail = "\n<b> = [yes];"
    #expect(problem("public <a> = \(repeated(part, 40)) go;" + tail) == nil)
    let found = problem("public <a> = go <run>;\n<run> = \(repeated(part, 1000)) go;" + tail)
    #expect(found?.position == TextPosition(line: 4, column: 1))
    #expect(found?.kind == JSGFLimits.tooManyOptions)
  }

  @Test func `commands are rejected like JSGF, at the intent`() {
    let run = repeated("[yes]", 1000)
    #expect {
      try CommandGrammar(template: "intent first: go\nintent second: \(run) go")
    } throws: { error in
      let found = (error as? CommandGrammarError)?.diagnostics.first
      return found?.kind == JSGFLimits.tooManyOptions && found?.position?.line == 2
    }
  }

  @Test func `ten thousand sentences are accepted, with optional parts`() {
    let sentences = (0..<10_000).map { "[please] open w\($0) w\($0 % 70) [now]" }
    #expect(problem("public <a> = \(sentences.joined(separator: " | "));") == nil)
  }
}

/// Follows the words of a text through a graph.
private struct GraphWalk {
  private let graph: WordGraph
  private let bySource: [Int32: [WordGraph.Transition]]

  init(_ graph: WordGraph) {
    self.graph = graph
    bySource = Dictionary(grouping: graph.transitions, by: \.from)
  }

  /// True if the words lead from the start to the end.
  func accepts(_ text: [String]) -> Bool {
    var states = rested([graph.start])
    for word in text {
      var next: Set<Int32> = []
      for state in states {
        for transition in bySource[state] ?? [] where transition.word >= 0 {
          if graph.words[Int(transition.word)] == word { next.insert(transition.to) }
        }
      }
      states = rested(next)
    }
    return states.contains(graph.end)
  }

  private func rested(_ states: Set<Int32>) -> Set<Int32> {
    states.union(states.flatMap { bySource[$0] ?? [] }.filter { $0.word < 0 }.map(\.to))
  }
}

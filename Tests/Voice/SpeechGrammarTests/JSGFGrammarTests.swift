import Testing

@testable import SpeechGrammar

@Suite struct JSGFGrammarTests {
  private static let header = "#JSGF V1.0;\ngrammar g;\n"

  private func problem(_ text: String) -> GrammarDiagnostic.Kind? {
    do {
      _ = try JSGFGrammar(text)
      return nil
    } catch {
      return error.kind
    }
  }

  private func words(_ rules: String) throws -> [String] {
    try JSGFGrammar(Self.header + rules).words
  }

  @Test func `a grammar keeps its name, its rules and its words`() throws {
    let grammar = try JSGFGrammar(
      """
      #JSGF V1.0 UTF-8 en;
      // lights
      grammar home.lights;
      /* what may be
         said */
      public <command> = [ please ] <action> (lights | /2.5/ the lamp {lamp})+;
      <action> = turn on | "switch off" | <NULL>;
      """)
    #expect(grammar.name == "home.lights")
    #expect(grammar.rules.map(\.name) == ["command", "action"])
    #expect(grammar.rules.map(\.isPublic) == [true, false])
    #expect(
      grammar.words == [
        "please", "lights", "the", "lamp", "turn", "on", "switch", "off",
      ])
    #expect(grammar.rules[0].words[0].position == TextPosition(line: 6, column: 22))
  }

  @Test func `an error has its line`() throws {
    let error = #expect(throws: JSGFError.self) {
      try JSGFGrammar("#JSGF V1.0;\ngrammar g;\npublic <a> = one (two;\n")
    }
    #expect(error?.position == TextPosition(line: 3, column: 22))
    #expect(error?.localizedDescription.contains("line 3, column 22") == true)
    #expect(error?.localizedDescription.contains("“)”") == true)
  }

  @Test(arguments: [
    ("", GrammarDiagnostic.Kind.missingHeader),
    ("grammar g; public <a> = b;", .missingHeader),
    ("#JSGF V2.0; grammar g; public <a> = b;", .missingHeader),
    ("#JSGF V1.0; public <a> = b;", .missingName),
    ("#JSGF V1.0; grammar g; <a> = b;", .noPublicRule),
    ("#JSGF V1.0; grammar g;", .noPublicRule),
    ("#JSGF V1.0; grammar g; import <other.*>; public <a> = b;", .importRefused("other.*")),
    ("#JSGF V1.0; grammar g; public <a> = <b>;", .undefinedRule("b")),
    ("#JSGF V1.0; grammar g; public <a> = b; <a> = c;", .duplicateRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = /x/ b | c;", .badWeight("x")),
    ("#JSGF V1.0; grammar g; public <a> = /-1/ b | c;", .badWeight("-1")),
    ("#JSGF V1.0; grammar g; public <a> = b /* c;", .unterminated("a comment")),
    ("#JSGF V1.0; grammar g; public <a> = \"b;", .unterminated("a string")),
    ("#JSGF V1.0; grammar g; public <a = b;", .unterminated("a rule's name")),
    ("#JSGF V1.0; grammar g; public <a> = b {c;", .unterminated("a tag")),
    ("#JSGF V1.0; grammar g; public <a> = <VOID>;", .unspeakableRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = b <VOID> | <c>; <c> = d <VOID>;", .unspeakableRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = /0/ b;", .unspeakableRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = b <a>;", .unspeakableRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = <NULL>;", .wordlessRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = [ <NULL> ] <b>*; <b> = <NULL>;", .wordlessRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = <a> b | c;", .recursiveRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = <a> | c;", .recursiveRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = b <a> d | c;", .recursiveRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = b | c <b>; <b> = <a> d;", .recursiveRule("b")),
    ("#JSGF V1.0; grammar g; public <a> = b | (c <a>)+;", .recursiveRule("a")),
    ("#JSGF V1.0; grammar g; public <a> = b | [c] <a>;", .recursiveRule("a")),
  ])
  func `grammars that PocketSphinx would misread are rejected`(
    text: String, expected: GrammarDiagnostic.Kind
  ) {
    #expect(problem(text) == expected)
  }

  @Test(arguments: [
    "public <a> = ;", "public <a> = b | ;", "public <a> = ( );", "public <a> = [ ];",
    "public <a> = b", "public <a> b;", "public a = b;", "public <> = b;", "<NULL> = b;",
    "public <a> = b > c;", "public <a> = b } c;", "public <a> = * b;", "public <a> = {t};",
    "public <a> = b**;", "public <a> = \"\";", "public <a> = b);", "nonsense",
  ])
  func `a syntax error does not end the grammar silently`(rules: String) {
    let found = problem(Self.header + rules)
    guard case .unexpected = found else {
      Issue.record("\(rules): \(String(describing: found))")
      return
    }
  }

  @Test func `a rule may lead back to itself at its end`() throws {
    #expect(try words("public <a> = b | b <a>;") == ["b", "b"])
    #expect(try words("public <a> = b [ <a> ];") == ["b"])
    #expect(try words("public <a> = b <c>; <c> = d | e <a>;") == ["b", "d", "e"])
  }

  @Test func `deep nesting is rejected, in groups and in rules`() {
    func nested(_ depth: Int) -> String {
      Self.header + "public <a> = " + String(repeating: "(", count: depth) + "b"
        + String(repeating: ")", count: depth) + ";"
    }
    #expect(problem(nested(90)) == nil)
    for depth in [200, 5000, 100_000] {
      #expect(problem(nested(depth))?.isTooLarge == true, "\(depth) levels")
    }
    func chained(_ count: Int) -> String {
      Self.header + "public <r0> = x <r1>;"
        + (1..<count).map { "<r\($0)> = y \($0 + 1 < count ? "<r\($0 + 1)>" : "");" }.joined()
    }
    #expect(problem(chained(250)) == nil)
    #expect(problem(chained(3000))?.isTooLarge == true)
  }

  @Test func `groups without words are checked quickly`() {
    for (open, close) in [("(<NULL> ", ")"), ("[<NULL> ", "]"), ("(<NULL> | ", ")")] {
      let text =
        Self.header + "public <a> = " + String(repeating: open, count: 90) + "b"
        + String(repeating: close, count: 90) + ";"
      #expect(problem(text) == nil)
    }
  }

  @Test func `a long chain of rules is rejected quickly, wherever it begins`() {
    let rules = (0..<20_000).map { "<r\($0)> = x <r\($0 + 1)>;" } + ["<r20000> = x;"]
    for text in [rules.joined(), rules.reversed().joined()] {
      #expect(problem(Self.header + "public <a> = <r0>;" + text)?.isTooLarge == true)
    }
  }

  @Test func `rules without words count towards the size`() {
    let doubling = (0..<40).map { "<r\($0)> = <r\($0 + 1)> <r\($0 + 1)>;" }.joined()
    let text = Self.header + "public <a> = x <r0>;" + doubling + "<r40> = <NULL>;"
    #expect(problem(text)?.isTooLarge == true)
  }

  @Test func `a small text that expands to a huge grammar is rejected`() {
    let doubling = (0..<40).map { "<r\($0)> = <r\($0 + 1)> <r\($0 + 1)>;" }.joined()
    #expect(problem(Self.header + "public " + doubling + "<r40> = x;")?.isTooLarge == true)
    let twoMegabytes = String(repeating: " ", count: 2_000_000)
    #expect(problem(Self.header + twoMegabytes)?.isTooLarge == true)
  }

  @Test func `PocketSphinx receives all public rules and nothing that it could misread`() throws {
    let grammar = try JSGFGrammar(
      Self.header + "public <one.x> = go {a;b} | /0/ stop | /1e-9/ wait; public <two> = (back)*;")
    #expect(
      grammar.written() == """
        #JSGF V1.0;
        grammar g;
        public <start> = <r0> | <r1>;
        <r0> = ( /1.000000/ go | /0.000001/ wait );
        <r1> = ( back )*;

        """)
  }
}

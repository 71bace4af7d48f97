extension CommandGrammar {
  /// Creates the grammar that JSGF describes, to find the meaning of text that was recognised with
  /// it. Its public rules are the intents, and its tags, in the order of the source, are the
  /// meaning.
  ///
  /// ```swift
  /// let jsgf = try JSGFGrammar(
  ///   "#JSGF V1.0; grammar g; public <light> = lights (on {1} | off {0});")
  /// try CommandMatcher(CommandGrammar(jsgf)).match("lights off")?.tags   // ["0"]
  /// ```
  public init(_ jsgf: JSGFGrammar) {
    self.init(
      name: jsgf.name,
      intents: jsgf.rules.filter(\.isPublic).map { Intent(name: $0.name, phrase: .rule($0.name)) },
      rules: jsgf.rules.map { Rule(name: $0.name, phrase: $0.phrase.normalized) })
  }

  /// Checks the grammar.
  ///
  /// - Throws: `CommandGrammarError` with all errors.
  public func check() throws(CommandGrammarError) {
    _ = try jsgf()
  }

  /// Compiles the grammar for recognisers that read the JSpeech Grammar Format.
  ///
  /// - Throws: `CommandGrammarError` if the grammar cannot be used: something is missing or leads
  ///   back to itself, or it is so large that no recogniser could load it.
  package func jsgf() throws(CommandGrammarError) -> JSGFGrammar {
    try JSGFCompiler(self).checked()
  }

  /// Writes the grammar in the JSpeech Grammar Format, for `PocketSphinxSearch.grammar`.
  ///
  /// - Throws: `CommandGrammarError` if the grammar cannot be used.
  public func jsgfText() throws(CommandGrammarError) -> String {
    try jsgf().written()
  }
}

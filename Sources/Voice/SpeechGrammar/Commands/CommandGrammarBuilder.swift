extension ListBuilder where Element == CommandGrammarContent {
  /// Adds an intent or a rule to the grammar.
  public static func buildExpression(_ part: some CommandGrammarPart) -> [CommandGrammarContent] {
    [part.content]
  }
}

extension CommandGrammar {
  /// Creates a grammar of the intents and rules between the braces.
  ///
  /// Errors in it are reported by `check()`, and when it is compiled or matched.
  public init(
    _ name: String, language: GrammarLanguage = .english,
    @ListBuilder<CommandGrammarContent> _ parts: () -> [CommandGrammarContent]
  ) {
    let parts = parts()
    self.init(
      name: name, language: language, intents: parts.flatMap(\.intents),
      rules: parts.flatMap(\.rules))
  }
}

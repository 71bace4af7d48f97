/// With braces a phrase with a name, without them its use: `Rule("polite") { "please" }`.
public struct Rule: PhraseConvertible, CommandGrammarPart {
  /// The use of the rule.
  public var phrase: Phrase { .rule(name) }
  /// What it adds to a grammar.
  public let content: CommandGrammarContent
  private let name: String

  /// What the rule of that name stands for.
  public init(_ name: String) {
    self.name = name
    content = .nothing
  }

  /// A phrase with a name.
  public init(_ name: String, @PhraseBuilder _ phrase: () -> Phrase) {
    self.name = name
    content = .rule(CommandGrammar.Rule(name: name, phrase: phrase()))
  }
}

/// Sentences that mean the same to the app: `Intent("stop") { OneOf { "stop"; "be quiet" } }`.
public struct Intent: CommandGrammarPart {
  /// What it adds to a grammar.
  public let content: CommandGrammarContent

  /// An intent and what may be said for it.
  public init(_ name: String, weight: Double? = nil, @PhraseBuilder _ phrase: () -> Phrase) {
    content = .intent(CommandGrammar.Intent(name: name, phrase: phrase(), weight: weight))
  }
}

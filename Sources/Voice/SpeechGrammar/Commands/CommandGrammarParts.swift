/// The definition of a rule, with braces, or its use, without: `Rule("polite") { "please" }`.
public struct Rule: PhraseConvertible, CommandGrammarPart {
  /// The use of the rule as a phrase.
  public var phrase: Phrase { .rule(name) }
  /// The rule's definition, if it has one.
  public let content: CommandGrammarContent
  private let name: String

  /// Uses the rule with that name.
  public init(_ name: String) {
    self.name = name
    content = CommandGrammarContent()
  }

  /// Defines a rule with the phrase between the braces.
  public init(_ name: String, @PhraseBuilder _ phrase: () -> Phrase) {
    self.name = name
    content = CommandGrammarContent(
      rules: [CommandGrammar.Rule(name: name, phrase: phrase())])
  }
}

/// Sentences with the same meaning for the app: `Intent("stop") { OneOf { "stop"; "be quiet" } }`.
public struct Intent: CommandGrammarPart {
  /// The definition of the intent.
  public let content: CommandGrammarContent

  /// Defines an intent by its sentences.
  public init(_ name: String, weight: Double? = nil, @PhraseBuilder _ phrase: () -> Phrase) {
    content = CommandGrammarContent(
      intents: [CommandGrammar.Intent(name: name, phrase: phrase(), weight: weight)])
  }
}

/// A part of a grammar: an intent or a rule.
public protocol CommandGrammarPart {
  /// The intents and rules that the part adds to a grammar.
  var content: CommandGrammarContent { get }
}

/// The intents and rules that a part adds to a grammar.
public struct CommandGrammarContent: Sendable, Hashable {
  package var intents: [CommandGrammar.Intent] = []
  package var rules: [CommandGrammar.Rule] = []
}

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

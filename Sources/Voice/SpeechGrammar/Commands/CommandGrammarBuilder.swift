/// A part of a grammar: an intent or a rule.
public protocol CommandGrammarPart {
  /// What it adds to a grammar.
  var content: CommandGrammarContent { get }
}

/// What a part adds to a grammar.
public enum CommandGrammarContent: Sendable, Hashable {
  /// An intent.
  case intent(CommandGrammar.Intent)
  /// A rule.
  case rule(CommandGrammar.Rule)
  /// Nothing.
  case nothing
}

/// Collects what is written between the braces of a grammar.
@resultBuilder
public enum CommandGrammarBuilder {
  /// An intent or a rule.
  public static func buildExpression(_ part: some CommandGrammarPart) -> [CommandGrammarContent] {
    [part.content]
  }
  /// All of them.
  public static func buildBlock(_ parts: [CommandGrammarContent]...) -> [CommandGrammarContent] {
    parts.flatMap(\.self)
  }
  /// All that a loop gives.
  public static func buildArray(_ parts: [[CommandGrammarContent]]) -> [CommandGrammarContent] {
    parts.flatMap(\.self)
  }
  /// What a condition left away.
  public static func buildOptional(_ part: [CommandGrammarContent]?) -> [CommandGrammarContent] {
    part ?? []
  }
  /// The one side of a condition.
  public static func buildEither(first: [CommandGrammarContent]) -> [CommandGrammarContent] {
    first
  }
  /// The other side of a condition.
  public static func buildEither(second: [CommandGrammarContent]) -> [CommandGrammarContent] {
    second
  }
}

extension CommandGrammar {
  /// A grammar of the intents and rules between the braces.
  ///
  /// Whatever is wrong with it is told by `check()`, and when it is compiled or matched.
  public init(
    _ name: String, language: GrammarLanguage = .english,
    @CommandGrammarBuilder _ parts: () -> [CommandGrammarContent]
  ) {
    self.init(name: name, language: language, intents: [])
    for part in parts() {
      switch part {
      case .intent(let intent): intents.append(intent)
      case .rule(let rule): rules.append(rule)
      case .nothing: break
      }
    }
  }
}

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

/// The commands that the user of an app can speak, and their meaning.
///
/// A grammar is a value. It is written in Swift as below, read from a file of templates
/// (`init(contentsOf:)`), or made from a JSGF grammar. A recogniser receives it as JSGF
/// (`jsgfText()`), and a `CommandMatcher` finds the meaning of recognised text.
///
/// ```swift
/// let home = CommandGrammar("home") {
///   Intent("switch_light") {
///     Optionally { Rule("polite") }
///     "turn"
///     Slot("state") { "on"; "off" }
///     Optionally { "the" }
///     Slot("room", Room.self)
///     OneOf { "light"; "lights" }
///   }
///   Intent("wake_me") { "wake me at"; Slot("time", .time) }
///   Rule("polite") { OneOf { "please"; "would you kindly" } }
/// }
/// ```
public struct CommandGrammar: Sendable, Hashable {
  /// A group of sentences with the same meaning for the app.
  package struct Intent: Sendable, Hashable {
    package var name: String
    package var phrase: Phrase
    /// The weight relative to the other intents, 1 by default.
    package var weight: Double?

    package init(name: String, phrase: Phrase, weight: Double? = nil) {
      self.name = name
      self.phrase = phrase
      self.weight = weight
    }
  }

  /// A named phrase, for use in others.
  package struct Rule: Sendable, Hashable {
    package var name: String
    package var phrase: Phrase
  }

  /// The name of the grammar.
  public var name: String
  /// The language of the built-in slots.
  public var language: GrammarLanguage
  /// The intents, in the order of the source.
  package var intents: [Intent]
  /// The named phrases that intents and rules use.
  package var rules: [Rule]

  package init(
    name: String, language: GrammarLanguage = .english, intents: [Intent], rules: [Rule] = []
  ) {
    self.name = name
    self.language = language
    self.intents = intents
    self.rules = rules
  }
}

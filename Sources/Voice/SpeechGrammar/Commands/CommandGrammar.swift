/// What the user of an app may say, and what it means.
///
/// It is a value: written in Swift as below, or read from a file of templates (`init(contentsOf:)`), or
/// made of a JSGF grammar. A recogniser gets it as JSGF (`jsgf()`); what was recognised is understood by
/// a `CommandMatcher`.
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
  /// A group of sentences that mean the same to the app.
  public struct Intent: Sendable, Hashable {
    /// The name by which the app knows it.
    public var name: String
    /// What may be said.
    public var phrase: Phrase
    /// How likely it is beside the others; `nil` counts one.
    public var weight: Double?

    /// An intent.
    public init(name: String, phrase: Phrase, weight: Double? = nil) {
      self.name = name
      self.phrase = phrase
      self.weight = weight
    }
  }

  /// A phrase with a name, for use in others.
  public struct Rule: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// What may be said.
    public var phrase: Phrase
  }

  /// Its name.
  public var name: String
  /// The language of the ready-made slots.
  public var language: GrammarLanguage
  /// What may be said, in the order in which it is written.
  public var intents: [Intent]
  /// Phrases with names that intents and rules use.
  public var rules: [Rule]

  /// A grammar of these parts.
  public init(
    name: String, language: GrammarLanguage = .english, intents: [Intent], rules: [Rule] = []
  ) {
    self.name = name
    self.language = language
    self.intents = intents
    self.rules = rules
  }
}

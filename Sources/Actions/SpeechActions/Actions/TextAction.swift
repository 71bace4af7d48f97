/// Something that is done with a text, as its user defined it: which words the services are asked with, what
/// they are to answer, who is asked, and what becomes of the answer.
///
/// ```swift
/// var action = TextAction(
///   id: "haiku", name: "Make a haiku", prompt: "Write a haiku about this:\n\n{{text}}")
/// action.routing = RoutingRule(.firstSuccess, connectors: ["fast", "thorough"])
/// action.postProcessing = [.cleanUp, .replaceOriginal]
/// ```
public struct TextAction: Sendable, Hashable, Identifiable {
  /// What it is called in files and commands; letters, digits, `-` and `_`.
  public var id: String
  /// What it is called on screens. Unique, too.
  public var name: String
  /// The template of the question. See `PromptTemplate`.
  public var prompt: String
  /// The template of the rules that the model is given beforehand; empty for none.
  public var system: String
  /// What the answer has to be.
  public var output: OutputExpectation
  /// How the answer should look, in words; each is told to the model as a sentence.
  public var formatting: [String]
  /// What becomes of an answer, in that order.
  public var postProcessing: [PostProcessing]
  /// Values of variables of the template's own, or of known ones where a run brings none.
  public var variables: [String: String]
  /// Who is asked, and how.
  public var routing: RoutingRule
  /// Where the text may go.
  public var privacy: PrivacyRule
  /// Whether it is kept but not offered.
  public var isArchived: Bool

  /// An action; what is not given asks all active connectors in order until one answers.
  public init(
    id: String, name: String, prompt: String, system: String = "",
    output: OutputExpectation = .text, formatting: [String] = [],
    postProcessing: [PostProcessing] = [.cleanUp], variables: [String: String] = [:],
    routing: RoutingRule = RoutingRule(), privacy: PrivacyRule = .anywhere,
    isArchived: Bool = false
  ) {
    self.id = id
    self.name = name
    self.prompt = prompt
    self.system = system
    self.output = output
    self.formatting = formatting
    self.postProcessing = postProcessing
    self.variables = variables
    self.routing = routing
    self.privacy = privacy
    self.isArchived = isArchived
  }
}

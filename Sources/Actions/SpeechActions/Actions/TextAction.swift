/// A task on a text that a user has defined: its prompt, the format of the answer, the routing and
/// the post-processing.
///
/// ```swift
/// var action = TextAction(
///   id: "haiku", name: "Make a haiku", prompt: "Write a haiku about this:\n\n{{text}}")
/// action.routing = RoutingRule(.firstSuccess, connectors: ["fast", "thorough"])
/// action.postProcessing = [.cleanUp, .replaceOriginal]
/// ```
public struct TextAction: Sendable, Hashable, Identifiable {
  /// The name in files and commands. It consists of letters, digits, `-` and `_`.
  public var id: String
  /// The unique name on screens and by voice.
  public var name: String
  /// The template of the prompt, in which `{{text}}` stands for the text.
  public var prompt: String
  /// The template of the system prompt; none if empty.
  public var system: String
  /// The format of the answer.
  public var output: OutputExpectation
  /// Instructions for the format of the answer, one sentence each.
  public var formatting: [String]
  /// The steps that are applied to an answer, in order.
  public var postProcessing: [PostProcessing]
  /// Values of the template's own variables, and defaults for the predefined ones.
  public var variables: [String: String]
  /// The rule by which connectors are chosen.
  public var routing: RoutingRule
  /// The rule for the connectors that may receive the text.
  public var privacy: PrivacyRule
  /// True if the action is hidden from the user.
  public var isArchived: Bool

  /// Creates an action. By default it asks all active connectors one after another.
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

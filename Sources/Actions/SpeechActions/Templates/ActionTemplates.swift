/// The templates of an action's request.
package struct ActionTemplates: Sendable {
  /// The note for the user if the text is appended.
  package static let appendingNote =
    "The prompt does not contain {{text}}, so the text is appended to it."

  package let prompt: PromptTemplate
  package let system: PromptTemplate
  /// True if the text is appended to the prompt, because it would be lost otherwise: neither
  /// template contains it.
  package let appendsText: Bool

  /// - Throws: `ActionError.template` with all syntax errors of the first template that has any.
  package init(prompt: String, system: String) throws(ActionError) {
    let written = try PromptTemplate(prompt)
    self.system = try PromptTemplate(system)
    appendsText = !written.contains("text") && !self.system.contains("text")
    self.prompt =
      appendsText ? try PromptTemplate(prompt + "{{#if text}}\n\n{{text}}{{/if}}") : written
  }

  package init(_ action: TextAction) throws(ActionError) {
    try self.init(prompt: action.prompt, system: action.system)
  }
}

import SpeechText

/// A rendered template with the origin of each value.
package struct TemplatePreview: Sendable, Hashable {
  package enum Origin: String, Sendable, Hashable, Encodable {
    /// The input of the run.
    case input
    case action
    /// The words in the template for a variable without a value.
    case words
    case missing
  }

  package struct Piece: Sendable, Hashable, Encodable {
    private enum CodingKeys: CodingKey { case text, variable, origin }

    package var text: String
    /// The variable that the text is the value of; `nil` for text of the template.
    package var variable: String?
    package var origin: Origin?
    package var place: TextPosition?
  }

  package struct Condition: Sendable, Hashable {
    package var variable: String
    /// True if the variable has a value.
    package var isMet: Bool
    package var place: TextPosition
  }

  package var pieces: [Piece] = []
  package var conditions: [Condition] = []
  /// Errors for unknown variables, and for those without a value.
  package var diagnostics: [TemplateDiagnostic] = []

  package var text: String { pieces.map(\.text).joined() }
}

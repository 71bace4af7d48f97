import SpeechText

/// A rendered template with the origin of each value.
///
/// ```swift
/// for piece in template.preview(with: values).pieces {
///   show(piece.text, marked: piece.variable != nil)
/// }
/// ```
package struct TemplatePreview: Sendable, Hashable {
  /// The origin of a value.
  package enum Origin: String, Sendable, Hashable {
    /// The input of the run.
    case input
    /// The action's own variables.
    case action
    /// The words in the template for a variable without a value.
    case words
    /// No value was found.
    case missing
  }

  /// A piece of the rendered text.
  package struct Piece: Sendable, Hashable {
    /// The text of the piece.
    package var text: String
    /// The variable that the text is the value of; `nil` for text of the template.
    package var variable: String?
    /// The origin of the value.
    package var origin: Origin?
    /// The position of the variable in the template.
    package var place: TextPosition?
  }

  /// An evaluated condition.
  package struct Condition: Sendable, Hashable {
    /// The variable that decides the condition.
    package var variable: String
    /// True if the variable has a value.
    package var isMet: Bool
    /// The position of the condition in the template.
    package var place: TextPosition
  }

  /// The rendered text in pieces.
  package var pieces: [Piece] = []
  /// The conditions that were evaluated.
  package var conditions: [Condition] = []
  /// Errors for unknown variables, and for those without a value.
  package var diagnostics: [TemplateDiagnostic] = []

  /// The rendered text.
  package var text: String { pieces.map(\.text).joined() }
}

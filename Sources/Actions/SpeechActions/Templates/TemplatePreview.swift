import SpeechText

/// How a template is filled in, for a person to look at.
///
/// ```swift
/// for piece in template.preview(with: values).pieces {
///   show(piece.text, marked: piece.variable != nil)
/// }
/// ```
package struct TemplatePreview: Sendable, Hashable {
  /// Where a value comes from.
  package enum Origin: String, Sendable, Hashable {
    /// What the action is run on.
    case input
    /// The action's own variables.
    case action
    /// The words in the template for when there is no value.
    case words
    /// There is none.
    case missing
  }

  /// A stretch of the filled-in text.
  package struct Piece: Sendable, Hashable {
    /// The stretch.
    package var text: String
    /// The variable that it is the value of; `nil` for what stands in the template.
    package var variable: String?
    /// Where the value comes from.
    package var origin: Origin?
    /// Where the variable stands in the template.
    package var place: TextPosition?
  }

  /// A condition that was looked at.
  package struct Condition: Sendable, Hashable {
    /// The variable that it asks for.
    package var variable: String
    /// Whether that has a value.
    package var isMet: Bool
    /// Where the condition stands in the template.
    package var place: TextPosition
  }

  /// The filled-in text, stretch by stretch.
  package var pieces: [Piece] = []
  /// The conditions on the way.
  package var conditions: [Condition] = []
  /// Unknown variables, and those that lack a value.
  package var diagnostics: [TemplateDiagnostic] = []

  /// The filled-in text.
  package var text: String { pieces.map(\.text).joined() }
}

/// How a template is filled in, for a person to look at.
///
/// ```swift
/// for piece in template.preview(with: values).pieces {
///   show(piece.text, marked: piece.variable != nil)
/// }
/// ```
public struct TemplatePreview: Sendable, Hashable {
  /// Where a value comes from.
  public enum Origin: String, Sendable, Hashable {
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
  public struct Piece: Sendable, Hashable {
    /// The stretch.
    public var text: String
    /// The variable that it is the value of; `nil` for what stands in the template.
    public var variable: String?
    /// Where the value comes from.
    public var origin: Origin?
    /// Where the variable stands in the template.
    public var place: TextPosition?
  }

  /// A condition that was looked at.
  public struct Condition: Sendable, Hashable {
    /// The variable that it asks for.
    public var variable: String
    /// Whether that has a value.
    public var isMet: Bool
    /// Where the condition stands in the template.
    public var place: TextPosition
  }

  /// The filled-in text, stretch by stretch.
  public var pieces: [Piece] = []
  /// The conditions on the way.
  public var conditions: [Condition] = []
  /// Unknown variables, and those that lack a value.
  public var diagnostics: [TemplateDiagnostic] = []

  /// The filled-in text.
  public var text: String { pieces.map(\.text).joined() }
}

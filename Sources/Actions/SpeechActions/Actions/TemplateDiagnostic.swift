import SpeechText

/// An error in a template, with its position.
public struct TemplateDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1, in code points.
  public var column: Int
  /// A description of the error and its remedy.
  public var message: String

  /// The error with its position, as in `3:12: …`.
  public var description: String { "\(line):\(column): \(message)" }

  var place: TextPosition { TextPosition(line: line, column: column) }
}

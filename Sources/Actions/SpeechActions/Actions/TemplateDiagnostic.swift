import SpeechText

/// Something wrong with a template, and where.
public struct TemplateDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1 in code points.
  public var column: Int
  /// What is wrong and what to do.
  public var message: String

  /// `3:12: …`.
  public var description: String { "\(line):\(column): \(message)" }

  var place: TextPosition { TextPosition(line: line, column: column) }
}

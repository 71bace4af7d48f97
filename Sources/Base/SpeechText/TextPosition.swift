/// A position in a text, counted from one.
///
/// ```swift
/// TextPosition(line: 3, column: 14).description   // "line 3, column 14"
/// ```
public struct TextPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number of the line.
  public var line: Int
  /// The number of the character, or of the code point, in the line.
  public var column: Int

  /// Creates a position.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// A description such as “line 3, column 14”.
  public var description: String { "line \(line), column \(column)" }

  /// True if the first position comes before the second.
  public static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

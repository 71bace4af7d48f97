/// A place in a text, counted from one.
///
/// ```swift
/// TextPosition(line: 3, column: 14).description   // "line 3, column 14"
/// ```
public struct TextPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The line.
  public var line: Int
  /// The character, or the code point, in the line.
  public var column: Int

  /// A place in a text.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// “line 3, column 14”.
  public var description: String { "line \(line), column \(column)" }

  /// Whether the left one comes first.
  public static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

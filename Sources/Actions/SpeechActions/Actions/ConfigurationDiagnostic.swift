import SpeechText

/// An error in the configuration file, with its position.
public struct ConfigurationDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1; 0 for an error that is not in the file.
  public var line: Int
  /// The column, counted from 1, in characters.
  public var column: Int
  /// The path of the setting, like `connector.work.timeout`; empty for the file as a whole.
  public var path: String
  /// A description of the error and its remedy.
  public var message: String

  /// The error with its position, as in `12:3: connector.work.timeout: …`.
  public var description: String {
    (line > 0 ? "\(line):\(column): " : "") + (path.isEmpty ? "" : "\(path): ") + message
  }

  var place: TextPosition { TextPosition(line: line, column: column) }
}

import SpeechText

/// An error in the configuration file.
public struct ConfigurationDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1; 0 for what is not in the file at all.
  public var line: Int
  /// The column, counted from 1, in characters.
  public var column: Int
  /// What it is about, like `connector.work.timeout`; empty for the file as such.
  public var path: String
  /// What is wrong and what to do.
  public var message: String

  /// `12:3: connector.work.timeout: …`.
  public var description: String {
    (line > 0 ? "\(line):\(column): " : "") + (path.isEmpty ? "" : "\(path): ") + message
  }

  var place: TextPosition { TextPosition(line: line, column: column) }
}

/// An error at a position in a text file, such as a grammar or a scenario.
public struct FileDiagnostic: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name of the file; `nil` for text that comes from no file.
  public var file: String?
  /// The line, counted from one; `nil` if the error concerns the whole file.
  public var line: Int?
  /// The character in the line, counted from one.
  public var column: Int?
  /// A description of the error and of its remedy.
  public var message: String

  package init(file: String?, line: Int?, column: Int?, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// The position and the message: “home.commands:3:14: there is no rule <polite>.”
  public var description: String {
    let place = [file] + [line, column].map { $0.map(String.init) }
    let prefix = place.compactMap(\.self).joined(separator: ":")
    return prefix.isEmpty ? message : "\(prefix): \(message)"
  }
}

import Foundation

/// An error of a language model or of the text that it is built from, with its position.
///
/// ```swift
/// do {
///   let model = try LanguageModel(contentsOf: url)
/// } catch let error as LanguageModelError {
///   print(error.line ?? 0, error.reason)
/// }
/// ```
public struct LanguageModelError: Error, Sendable, Equatable, LocalizedError {
  /// The kinds of errors.
  public enum Kind: Sendable, Equatable {
    /// The content of a file, or an argument, is invalid.
    case content
    /// The file cannot be read.
    case unreadable
    /// The file cannot be written.
    case unwritable
  }

  /// The kind of error.
  public var kind: Kind
  /// The path of the file; `nil` if no file is concerned.
  public var path: String?
  /// The line, counted from one; `nil` if the error concerns the whole file.
  public var line: Int?
  /// The cause and its remedy.
  public var reason: String

  package init(_ kind: Kind = .content, path: String? = nil, line: Int? = nil, reason: String) {
    self.kind = kind
    self.path = path
    self.line = line
    self.reason = reason
  }

  /// The position, the cause and its remedy.
  public var errorDescription: String? {
    let place = [path.map { "“\($0)”" }, line.map { "line \($0)" }].compactMap { $0 }
    return place.isEmpty ? reason : place.joined(separator: ", ") + ": " + reason
  }
}

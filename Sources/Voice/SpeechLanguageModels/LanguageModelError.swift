import Foundation

/// What is wrong with a language model or the text that it is made from, and where.
///
/// ```swift
/// do {
///   let model = try LanguageModel(contentsOf: url)
/// } catch let error as LanguageModelError {
///   print(error.line ?? 0, error.reason)
/// }
/// ```
public struct LanguageModelError: Error, Sendable, Equatable, LocalizedError {
  /// What went wrong.
  public enum Kind: Sendable, Equatable {
    /// What is in the file or was given.
    case content
    /// The file cannot be read.
    case unreadable
    /// The file cannot be written.
    case unwritable
  }

  /// What went wrong.
  public var kind: Kind
  /// The file; `nil` if it concerns none.
  public var path: String?
  /// The line, counted from one; `nil` if it concerns the whole.
  public var line: Int?
  /// What is wrong and what to do.
  public var reason: String

  /// An error.
  package init(_ kind: Kind = .content, path: String? = nil, line: Int? = nil, reason: String) {
    self.kind = kind
    self.path = path
    self.line = line
    self.reason = reason
  }

  /// What is wrong, where, and what to do about it.
  public var errorDescription: String? {
    let place = [path.map { "“\($0)”" }, line.map { "line \($0)" }].compactMap { $0 }
    return place.isEmpty ? reason : place.joined(separator: ", ") + ": " + reason
  }
}

import Foundation

/// All errors of a grammar, each with its position.
///
/// ```swift
/// do {
///   _ = try CommandGrammar(template: text, file: "home.commands")
/// } catch {
///   for diagnostic in error.diagnostics { print(diagnostic) }
///   // home.commands:3:14: there is no rule <polite>. Write it, or correct the name.
/// }
/// ```
public struct CommandGrammarError: Error, Sendable, Equatable, LocalizedError {
  /// An error of a grammar, with its position.
  public typealias Diagnostic = GrammarDiagnostic

  /// The errors in the order of the text; never empty.
  public var diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// The descriptions of all diagnostics, one per line.
  public var errorDescription: String? {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

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
public struct CommandGrammarError: Error, Sendable, Equatable {
  /// An error of a grammar, with its position.
  public struct Diagnostic: Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    package var kind: Kind
    /// The position in the text, if the grammar was read from one.
    public var position: TextPosition?
    /// The name of the file, if it was read from one.
    public var file: String?

    /// Creates a diagnostic.
    package init(_ kind: Kind, at position: TextPosition? = nil, in file: String? = nil) {
      self.kind = kind
      self.position = position
      self.file = file
    }

    /// A line in the form “file:line:column: error and remedy”.
    public var description: String {
      let place = [file, position.map { "\($0.line):\($0.column)" }].compactMap(\.self)
      return place.map { $0 + ":" }.joined() + (place.isEmpty ? "" : " ") + kind.explanation
    }
  }

  /// The kinds of errors.
  package enum Kind: Sendable, Equatable {
    /// Something else was expected here.
    case unexpected(found: String, expected: String)
    /// A group, a slot or a rule's name has no end.
    case unterminated(String)
    /// A line stands before the first heading.
    case noHeading
    /// A word holds characters that are not allowed.
    case badWord(String)
    /// A weight is not a number of zero or more.
    case badWeight(String)
    /// A range or a number of repetitions is invalid or out of bounds.
    case badRange(String)
    /// There is no such language.
    case unknownLanguage(String)
    /// The same name is defined twice.
    case duplicate(String)
    /// The rule is used but not defined.
    case undefinedRule(String)
    /// The slot is used but its values are not defined.
    case undefinedSlot(String)
    /// A slot contains another slot.
    case slotInSlot(String)
    /// The grammar has no intent.
    case noIntent
    /// A rule leads back to itself in another place than its end.
    case recursion(String)
    /// It has no sentence that can be completed.
    case unspeakable(String)
    /// It can be spoken without any word, or only so.
    case wordless(String)
    /// It exceeds a limit of size or depth.
    case tooLarge(String)
    /// The file cannot be read, for the given reason.
    case unreadable(String)
  }

  /// The errors in the order of the text; never empty.
  public var diagnostics: [Diagnostic]

  /// Creates an error of several diagnostics.
  package init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// Creates an error of one diagnostic.
  init(_ kind: Kind, at position: TextPosition? = nil, in file: String? = nil) {
    self.init([Diagnostic(kind, at: position, in: file)])
  }
}

extension CommandGrammarError: LocalizedError {
  /// The descriptions of all diagnostics, one per line.
  public var errorDescription: String? {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

extension CommandGrammarError.Kind {
  /// The error and its remedy.
  package var explanation: String {
    switch self {
    case .unexpected(let found, let expected): "found \(found) where \(expected) is expected."
    case .unterminated(let what): "\(what) has no end."
    case .noHeading: "there is no heading above this line. Begin with one such as “intent name:”."
    case .badWord(let word): "“\(word)” cannot be a word. Write it as it is spoken, without marks."
    case .badWeight(let text): "“/\(text)/” is not a weight. Write a number such as /2.5/."
    case .badRange(let what): "\(what)."
    case .unknownLanguage(let name): "there is no language “\(name)”. Write “language: en”."
    case .duplicate(let what): "\(what) is written twice. Rename one of them, or join them."
    case .undefinedRule(let name): "there is no rule <\(name)>. Write it, or correct the name."
    case .undefinedSlot(let name):
      "there are no values for {\(name)}. Write “slot \(name):” with its values."
    case .slotInSlot(let name): "{\(name)} is inside another slot. Slots cannot hold others."
    case .noIntent: "there is no intent, so that nothing can be recognised."
    case .recursion(let name):
      "\(name) leads back to itself before its end. Repeat with * or + instead."
    case .unspeakable(let name): "\(name) has no sentence that can be completed."
    case .wordless(let name): "\(name) may be spoken without any word."
    case .tooLarge(let what): "\(what)."
    case .unreadable(let why): why
    }
  }
}

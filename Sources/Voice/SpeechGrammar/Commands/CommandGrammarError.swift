import Foundation

/// Everything that is wrong with a grammar, each with its place.
///
/// ```swift
/// do {
///   _ = try CommandGrammar(template: text, file: "home.commands")
/// } catch {
///   for problem in error.problems { print(problem) }
///   // home.commands:3:14: there is no rule <polite>. Write it, or correct the name.
/// }
/// ```
public struct CommandGrammarError: Error, Sendable, Equatable {
  /// One thing that is wrong.
  public struct Problem: Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public var kind: Kind
    /// Where in the text, if the grammar was read from one.
    public var position: TextPosition?
    /// The name of the file, if it was read from one.
    public var file: String?

    /// A problem and its place.
    public init(_ kind: Kind, at position: TextPosition? = nil, in file: String? = nil) {
      self.kind = kind
      self.position = position
      self.file = file
    }

    /// “file:line:column: what is wrong and what to do about it”.
    public var description: String {
      let place = [file, position.map { "\($0.line):\($0.column)" }].compactMap(\.self)
      return place.map { $0 + ":" }.joined() + (place.isEmpty ? "" : " ") + kind.explanation
    }
  }

  /// What can be wrong.
  public enum Kind: Sendable, Equatable {
    /// Something else was due here.
    case unexpected(found: String, expected: String)
    /// A group, a slot or a rule's name has no end.
    case unterminated(String)
    /// A line stands before the first heading.
    case noHeading
    /// It holds marks that no word may hold.
    case badWord(String)
    /// A weight is not a number of zero or more.
    case badWeight(String)
    /// A number of times, a range or its order makes no sense, or is out of what can be said.
    case badRange(String)
    /// There is no such language.
    case unknownLanguage(String)
    /// The same is written twice.
    case duplicate(String)
    /// The rule is used and not written anywhere.
    case undefinedRule(String)
    /// The slot is used, and its values are not written anywhere.
    case undefinedSlot(String)
    /// A slot within a slot.
    case slotInSlot(String)
    /// There is no intent.
    case noIntent
    /// It leads back to itself in another place than its end.
    case recursion(String)
    /// It can never be said to its end.
    case unspeakable(String)
    /// It can be said with no word at all, or only so.
    case wordless(String)
    /// It is larger or deeper than what is accepted.
    case tooLarge(String)
    /// The file cannot be read, for this reason.
    case unreadable(String)
  }

  /// What is wrong, in the order of the text; never empty.
  public var problems: [Problem]

  /// Several problems.
  public init(_ problems: [Problem]) {
    self.problems = problems
  }

  /// One problem.
  init(_ kind: Kind, at position: TextPosition? = nil, in file: String? = nil) {
    self.init([Problem(kind, at: position, in: file)])
  }
}

extension CommandGrammarError: LocalizedError {
  /// A line for each problem.
  public var errorDescription: String? {
    problems.map(\.description).joined(separator: "\n")
  }
}

extension CommandGrammarError.Kind {
  /// What is wrong, and what to do about it.
  package var explanation: String {
    switch self {
    case .unexpected(let found, let expected): "found \(found) where \(expected) was due."
    case .unterminated(let what): "\(what) begins here and never ends."
    case .noHeading: "no heading stands above this line. Begin with one such as “intent name:”."
    case .badWord(let word): "“\(word)” cannot be a word. Write it as it is spoken, without marks."
    case .badWeight(let text): "“/\(text)/” is no weight. Write a number such as /2.5/."
    case .badRange(let what): "\(what)."
    case .unknownLanguage(let name): "there is no language “\(name)”. Write “language: en”."
    case .duplicate(let what): "\(what) is written twice. Rename one of them, or join them."
    case .undefinedRule(let name): "there is no rule <\(name)>. Write it, or correct the name."
    case .undefinedSlot(let name):
      "nothing says what may stand in {\(name)}. Write “slot \(name):” with its values."
    case .slotInSlot(let name): "{\(name)} stands within a slot. Slots cannot hold others."
    case .noIntent: "there is no intent, so nothing can be said."
    case .recursion(let name):
      "\(name) leads back to itself before its end. Repeat with * or + instead."
    case .unspeakable(let name): "\(name) can never be said to its end."
    case .wordless(let name): "\(name) may be said without any word."
    case .tooLarge(let what): "\(what)."
    case .unreadable(let why): why
    }
  }
}

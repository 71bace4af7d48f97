import Foundation

/// A place in a text, counted from one.
public struct TextPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The line.
  public var line: Int
  /// The character in the line.
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

/// What is wrong with a grammar, and where.
public struct JSGFError: Error, Sendable, Equatable {
  /// What is wrong.
  public enum Problem: Sendable, Equatable {
    /// It does not begin with `#JSGF V1.0;`.
    case missingHeader
    /// `grammar name;` is missing.
    case missingName
    /// Something else was due here.
    case unexpected(found: String, expected: String)
    /// A comment, a string, a tag or a rule's name has no end.
    case unterminated(String)
    /// A weight is not a number of zero or more.
    case badWeight(String)
    /// No rule is public, so nothing can be said.
    case noPublicRule
    /// The rule is written twice.
    case duplicateRule(String)
    /// The rule is used and not written anywhere.
    case undefinedRule(String)
    /// The rule leads back to itself in another place than its end.
    case recursion(String)
    /// The rule can never be said to its end.
    case unspeakable(String)
    /// The rule consists of nothing but silence.
    case wordless(String)
    /// Other grammars cannot be imported.
    case importRefused(String)
    /// The dictionary does not hold these words.
    case unknownWords([String])
    /// It is larger or deeper than what is accepted.
    case tooLarge(String)
  }

  /// What is wrong.
  public var problem: Problem
  /// Where; `nil` if it concerns the whole.
  public var position: TextPosition?

  /// A problem and its place.
  public init(_ problem: Problem, at position: TextPosition? = nil) {
    self.problem = problem
    self.position = position
  }
}

extension JSGFError: LocalizedError {
  /// What is wrong, where, and what to do about it.
  public var errorDescription: String? {
    "The grammar cannot be used" + (position.map { " (\($0))" } ?? "") + ": " + explanation
  }

  private var explanation: String {
    switch problem {
    case .missingHeader: "it has to begin with “#JSGF V1.0;”."
    case .missingName: "behind the header has to come “grammar” with a name and a semicolon."
    case .unexpected(let found, let expected): "found \(found) where \(expected) was due."
    case .unterminated(let what): "\(what) begins here and never ends."
    case .badWeight(let text): "“/\(text)/” is no weight. Write a number such as /2.5/."
    case .noPublicRule: "no rule is public. Write “public” before the rule that may be said."
    case .duplicateRule(let name): "the rule <\(name)> is written twice. Rename one of them."
    case .undefinedRule(let name): "there is no rule <\(name)>. Write it, or correct the name."
    case .recursion(let name):
      "the rule <\(name)> leads back to itself before its end. Repeat with * or + instead."
    case .unspeakable(let name):
      "the rule <\(name)> can never be said to its end. Give it a way out that avoids <VOID>."
    case .wordless(let name): "the rule <\(name)> holds no words."
    case .importRefused(let name): "<\(name)> cannot be imported. Copy its rules into this grammar."
    case .unknownWords(let words):
      "the dictionary has no \(words.count == 1 ? "word" : "words") "
        + words.prefix(20).map { "“\($0)”" }.joined(separator: ", ")
        + (words.count > 20 ? " and \(words.count - 20) more" : "")
        + ". Add the pronunciation, or choose other words."
    case .tooLarge(let what): "\(what)."
    }
  }
}

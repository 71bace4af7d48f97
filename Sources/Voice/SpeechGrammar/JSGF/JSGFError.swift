import Foundation

/// What is wrong with a grammar, and where.
///
/// ```swift
/// do {
///   _ = try JSGFGrammar("#JSGF V1.0; grammar g; public <a> = lights (on | off;")
/// } catch {
///   print(error.line ?? 0, error.column ?? 0)   // 1 52
/// }
/// ```
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
    /// Several grammars that are imported have a rule of that name.
    case ambiguousRule(String)
    /// The rule leads back to itself in another place than its end.
    case recursion(String)
    /// The rule can never be said to its end.
    case unspeakable(String)
    /// The rule consists of nothing but silence.
    case wordless(String)
    /// A grammar that is no file cannot import others.
    case importRefused(String)
    /// No file that may be imported holds it, or it holds no such public rule.
    case importNotFound(String)
    /// The grammar imports itself, directly or through others.
    case importCycle(String)
    /// The file cannot be read, for this reason.
    case unreadable(String)
    /// The dictionary does not hold these words.
    case unknownWords([String])
    /// It is larger or deeper than what is accepted.
    case tooLarge(String)
  }

  /// What is wrong.
  public var problem: Problem
  /// Where; `nil` if it concerns the whole.
  public var position: TextPosition?
  /// The name of the file, where the grammar is one.
  public var file: String?

  /// A problem and its place.
  public init(_ problem: Problem, at position: TextPosition? = nil, in file: String? = nil) {
    self.problem = problem
    self.position = position
    self.file = file
  }

  /// The line, counted from one; `nil` if it concerns the whole.
  public var line: Int? { position?.line }

  /// The character in the line, counted from one; `nil` if it concerns the whole.
  public var column: Int? { position?.column }
}

extension JSGFError: LocalizedError {
  /// What is wrong, where, and what to do about it.
  public var errorDescription: String? {
    let place = [file.map { "“\($0)”" }, position?.description].compactMap(\.self)
    return "The grammar cannot be used"
      + (place.isEmpty ? "" : " (\(place.joined(separator: ", ")))") + ": " + explanation
  }

  /// What is wrong and what to do about it, without the place.
  package var explanation: String {
    switch problem {
    case .missingHeader: "it has to begin with “#JSGF V1.0;”."
    case .missingName: "behind the header has to come “grammar” with a name and a semicolon."
    case .unexpected(let found, let expected): "found \(found) where \(expected) was due."
    case .unterminated(let what): "\(what) begins here and never ends."
    case .badWeight(let text): "“/\(text)/” is no weight. Write a number such as /2.5/."
    case .noPublicRule: "no rule is public. Write “public” before the rule that may be said."
    case .duplicateRule(let name): "the rule <\(name)> is written twice. Rename one of them."
    case .undefinedRule(let name): "there is no rule <\(name)>. Write it, or correct the name."
    case .ambiguousRule(let name):
      "several imported grammars have a rule <\(name)>. Write which one, as in <grammar.\(name)>."
    case .recursion(let name):
      "the rule <\(name)> leads back to itself before its end. Repeat with * or + instead."
    case .unspeakable(let name):
      "the rule <\(name)> can never be said to its end. Give it a way out that avoids <VOID>."
    case .wordless(let name): "the rule <\(name)> holds no words."
    case .importRefused(let name):
      "<\(name)> cannot be imported by a grammar that is no file. Copy its rules into this grammar."
    case .importNotFound(let name):
      "<\(name)> was not found. A file “grammar.jsgf” or “grammar.gram” in the same folder has to "
        + "hold that grammar, with the rule as a public one."
    case .importCycle(let name): "<\(name)> leads back to a grammar that imports it."
    case .unreadable(let why): why
    case .unknownWords(let words):
      "the dictionary has no \(words.count == 1 ? "word" : "words") "
        + words.prefix(20).map { "“\($0)”" }.joined(separator: ", ")
        + (words.count > 20 ? " and \(words.count - 20) more" : "")
        + ". Add the pronunciation, or choose other words."
    case .tooLarge(let what): "\(what)."
    }
  }
}

import Foundation

/// An error of a JSGF grammar, with its position.
///
/// ```swift
/// do {
///   _ = try JSGFGrammar("#JSGF V1.0; grammar g; public <a> = lights (on | off;")
/// } catch {
///   print(error.position?.description ?? "")   // line 1, column 52
/// }
/// ```
public struct JSGFError: Error, Sendable, Equatable {
  /// The kinds of errors.
  package enum Kind: Sendable, Equatable {
    /// It does not begin with `#JSGF V1.0;`.
    case missingHeader
    /// `grammar name;` is missing.
    case missingName
    /// Something else was expected here.
    case unexpected(found: String, expected: String)
    /// A comment, a string, a tag or a rule's name has no end.
    case unterminated(String)
    /// A weight is not a number of zero or more.
    case badWeight(String)
    /// No rule is public, so that nothing can be spoken.
    case noPublicRule
    /// The rule is defined twice.
    case duplicateRule(String)
    /// The rule is used but not defined.
    case undefinedRule(String)
    /// Several imported grammars have a rule of that name.
    case ambiguousRule(String)
    /// The rule leads back to itself in another place than its end.
    case recursion(String)
    /// The rule has no complete sentence.
    case unspeakable(String)
    /// The rule has no words.
    case wordless(String)
    /// A grammar that is not in a file cannot import others.
    case importRefused(String)
    /// None of the files that may be imported holds it, or it has no such public rule.
    case importNotFound(String)
    /// The grammar imports itself, directly or through others.
    case importCycle(String)
    /// The file cannot be read, for the given reason.
    case unreadable(String)
    /// The dictionary does not hold these words.
    case unknownWords([String])
    /// It exceeds a limit of size or depth.
    case tooLarge(String)
  }

  /// The kind of error.
  package var kind: Kind
  /// The position in the text; `nil` if the error concerns the whole.
  public var position: TextPosition?
  /// The name of the file, if the grammar was read from one.
  public var file: String?

  /// Creates an error.
  package init(_ kind: Kind, at position: TextPosition? = nil, in file: String? = nil) {
    self.kind = kind
    self.position = position
    self.file = file
  }

  /// The line, counted from one; `nil` if it concerns the whole.
  package var line: Int? { position?.line }

  /// The character in the line, counted from one; `nil` if it concerns the whole.
  package var column: Int? { position?.column }
}

extension JSGFError: LocalizedError {
  /// The error, its position and its remedy.
  public var errorDescription: String? {
    let place = [file.map { "“\($0)”" }, position?.description].compactMap(\.self)
    return "The grammar cannot be used"
      + (place.isEmpty ? "" : " (\(place.joined(separator: ", ")))") + ": " + explanation
  }

  /// The error and its remedy, without the position.
  package var explanation: String {
    switch kind {
    case .missingHeader: "it has to begin with “#JSGF V1.0;”."
    case .missingName: "“grammar” with a name and a semicolon has to follow the header."
    case .unexpected(let found, let expected): "found \(found) where \(expected) is expected."
    case .unterminated(let what): "\(what) has no end."
    case .badWeight(let text): "“/\(text)/” is not a weight. Write a number such as /2.5/."
    case .noPublicRule: "no rule is public. Write “public” before the rule that may be said."
    case .duplicateRule(let name): "the rule <\(name)> is written twice. Rename one of them."
    case .undefinedRule(let name): "there is no rule <\(name)>. Write it, or correct the name."
    case .ambiguousRule(let name):
      "several imported grammars have a rule <\(name)>. Write which one, as in <grammar.\(name)>."
    case .recursion(let name):
      "the rule <\(name)> leads back to itself before its end. Repeat with * or + instead."
    case .unspeakable(let name):
      "the rule <\(name)> has no sentence that can be completed. Add an alternative without <VOID>."
    case .wordless(let name): "the rule <\(name)> holds no words."
    case .importRefused(let name):
      "<\(name)> cannot be imported by a grammar that is not in a file. Copy its rules into "
        + "this grammar."
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

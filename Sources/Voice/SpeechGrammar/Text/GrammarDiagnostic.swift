import Foundation

/// An error of a grammar, with its position.
///
/// ```swift
/// do {
///   _ = try JSGFGrammar("#JSGF V1.0; grammar g; public <a> = lights (on | off;")
/// } catch {
///   print(error.position?.description ?? "")   // line 1, column 52
/// }
/// ```
public struct GrammarDiagnostic: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of errors. `explanation` has the meaning of each.
  package enum Kind: Sendable, Equatable {
    case unexpected(found: String, expected: String)
    /// A group, a comment, a string, a tag, a slot or a rule's name has no end.
    case unterminated(String)
    case badWeight(String)
    case undefinedRule(String)
    /// It exceeds a limit of size or depth.
    case tooLarge(String)
    /// The file cannot be read, for the given reason.
    case unreadable(String)

    // Of commands; the texts name the parts in words.

    case noHeading
    case badWord(String)
    /// A range or a number of repetitions is invalid or out of bounds.
    case badRange(String)
    case unknownLanguage(String)
    case duplicate(String)
    case undefinedSlot(String)
    case slotInSlot(String)
    case noIntent
    case recursion(String)
    case unspeakable(String)
    /// A part can be spoken without any word, or only so.
    case wordless(String)

    // Of JSGF; the texts are the names of rules.

    case missingHeader
    case missingName
    case noPublicRule
    case duplicateRule(String)
    case ambiguousRule(String)
    case recursiveRule(String)
    case unspeakableRule(String)
    case wordlessRule(String)
    /// A grammar that is not in a file cannot import others.
    case importRefused(String)
    /// None of the files that may be imported holds it, or it has no such public rule.
    case importNotFound(String)
    case importCycle(String)
    case unknownWords([String])
  }

  package var kind: Kind
  /// The position in the text; `nil` if the error concerns the whole, or there is no text.
  public var position: TextPosition?
  /// The name of the file, if the grammar was read from one.
  public var file: String?

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

extension GrammarDiagnostic: LocalizedError {
  /// The error, its position and its remedy as a sentence.
  public var errorDescription: String? {
    let place = [file.map { "“\($0)”" }, position?.description].compactMap(\.self)
    return "The grammar cannot be used"
      + (place.isEmpty ? "" : " (\(place.joined(separator: ", ")))") + ": " + kind.explanation
  }
}

extension GrammarDiagnostic.Kind {
  /// The error and its remedy.
  package var explanation: String {
    switch self {
    case .unexpected(let found, let expected): "found \(found) where \(expected) is expected."
    case .unterminated(let what): "\(what) has no end."
    case .badWeight(let text): "“/\(text)/” is not a weight. Write a number such as /2.5/."
    case .undefinedRule(let name): "there is no rule <\(name)>. Write it, or correct the name."
    case .badRange(let what), .tooLarge(let what): "\(what)."
    case .unreadable(let why): why
    case .noHeading: "there is no heading above this line. Begin with one such as “intent name:”."
    case .badWord(let word): "“\(word)” cannot be a word. Write it as it is spoken, without marks."
    case .unknownLanguage(let name): "there is no language “\(name)”. Write “language: en”."
    case .duplicate(let what): "\(what) is written twice. Rename one of them, or join them."
    case .undefinedSlot(let name):
      "there are no values for {\(name)}. Write “slot \(name):” with its values."
    case .slotInSlot(let name): "{\(name)} is inside another slot. Slots cannot hold others."
    case .noIntent: "there is no intent, so that nothing can be recognised."
    case .recursion(let what):
      "\(what) leads back to itself before its end. Repeat with * or + instead."
    case .unspeakable(let what): "\(what) has no sentence that can be completed."
    case .wordless(let what): "\(what) may be spoken without any word."
    case .missingHeader: "it has to begin with “#JSGF V1.0;”."
    case .missingName: "“grammar” with a name and a semicolon has to follow the header."
    case .noPublicRule: "no rule is public. Write “public” before the rule that may be said."
    case .duplicateRule(let name): "the rule <\(name)> is written twice. Rename one of them."
    case .ambiguousRule(let name):
      "several imported grammars have a rule <\(name)>. Write which one, as in <grammar.\(name)>."
    case .recursiveRule(let name): Self.recursion("the rule <\(name)>").explanation
    case .unspeakableRule(let name):
      Self.unspeakable("the rule <\(name)>").explanation + " Add an alternative without <VOID>."
    case .wordlessRule(let name): "the rule <\(name)> holds no words."
    case .importRefused(let name):
      "<\(name)> cannot be imported by a grammar that is not in a file. Copy its rules into "
        + "this grammar."
    case .importNotFound(let name):
      "<\(name)> was not found. A file “grammar.jsgf” or “grammar.gram” in the same folder has to "
        + "hold that grammar, with the rule as a public one."
    case .importCycle(let name): "<\(name)> leads back to a grammar that imports it."
    case .unknownWords(let words):
      "the dictionary has no \(words.count == 1 ? "word" : "words") "
        + words.prefix(20).map { "“\($0)”" }.joined(separator: ", ")
        + (words.count > 20 ? " and \(words.count - 20) more" : "")
        + ". Add the pronunciation, or choose other words."
    }
  }
}

import Foundation

/// A grammar in the JSpeech Grammar Format (JSGF), parsed and checked for all errors that can be
/// found without a dictionary.
///
/// ```swift
/// let grammar = try JSGFGrammar("#JSGF V1.0; grammar g; public <light> = lights (on | off);")
/// let commands = CommandGrammar(grammar)
/// ```
public struct JSGFGrammar: Sendable, Equatable {
  package struct Rule: Sendable, Equatable {
    /// The name, without the angle brackets.
    package var name: String
    /// True if the rule is a sentence by itself.
    package var isPublic = false
    package var phrase: Phrase
    /// The position of the definition; `nil` if there is no text.
    package var position: TextPosition?
    /// The file of the definition, if it was imported.
    package var file: String?
    package var words: [Mention] = []
    /// The uses of rules in the text.
    var uses: [Mention] = []
  }

  /// A word, or the name of a rule, with its position.
  package struct Mention: Sendable, Equatable {
    package var text: String
    package var position: TextPosition
  }

  package var name: String
  /// The rules in the order of the source.
  package var rules: [Rule]
}

extension JSGFGrammar {
  /// Parses and checks a grammar that does not import others.
  ///
  /// - Throws: `JSGFError` with the first error and its position.
  public init(_ text: String) throws(JSGFError) {
    self = try JSGFLinker(folders: []).grammar(try JSGFSource(text, file: nil))
    if let first = JSGFChecker(self).problems.first { throw first.diagnostic }
  }

  /// Parses and checks a grammar in a file, with its imports.
  ///
  /// The files for `import <package.name.rule>;` and `import <package.name.*>;` are searched in the
  /// file's own folder and then in the others, as “package.name” or “name” with the extension
  /// `.jsgf` or `.gram`, and nowhere else. Imported rules are named with their grammar:
  /// `package.name.rule`.
  ///
  /// - Throws: `JSGFError` with the first error, its file and its position.
  public init(contentsOf file: URL, importingFrom folders: [URL] = []) throws(JSGFError) {
    let text = try JSGFSource.text(of: file)
    let own = file.deletingLastPathComponent()
    self = try JSGFLinker(folders: [own] + folders).grammar(
      try JSGFSource(text, file: file.lastPathComponent))
    guard var first = JSGFChecker(self).problems.first?.diagnostic else { return }
    first.file = first.file ?? file.lastPathComponent
    throw first
  }

  /// All words, including repeated ones.
  package var words: [String] { rules.flatMap(\.phrase.words) }
}

/// The limits of a grammar: far beyond useful sizes, and well within what PocketSphinx can handle.
enum JSGFLimits {
  static let bytes = 1_048_576
  static let tooManyBytes = GrammarDiagnostic.Kind.tooLarge("it is larger than a megabyte")
  static let depth = 100
  /// The maximum depth of rules that use rules.
  static let ruleDepth = 500
  /// The maximum number of words once each use of a rule is expanded.
  static let writtenOutWords = 200_000
  /// The maximum number of files of a grammar.
  static let files = 64
}

/// The limits of commands, besides those of the JSGF that they are compiled to.
enum CommandGrammarLimits {
  /// The maximum depth of nested phrases, including those of the rules that they use.
  static let depth = 600
  /// The maximum of a bounded number of repetitions.
  static let repeats = 40
  /// The maximum number of reported errors.
  static let problems = 100
  static let tooManyWords = GrammarDiagnostic.Kind.tooLarge(
    "written out, the sentences have more than \(JSGFLimits.writtenOutWords) words. Use fewer or "
      + "smaller slots and repeats")
}

/// The first error of a JSGF grammar, with its position.
public typealias JSGFError = GrammarDiagnostic

import Foundation

/// A grammar in the JSpeech Grammar Format (JSGF), parsed and checked for all errors that can be
/// found without a dictionary.
///
/// ```swift
/// let grammar = try JSGFGrammar("#JSGF V1.0; grammar g; public <light> = lights (on | off);")
/// let commands = CommandGrammar(grammar)
/// ```
public struct JSGFGrammar: Sendable, Equatable {
  /// A named expansion.
  package struct Rule: Sendable, Equatable {
    /// The name, without the angle brackets.
    package var name: String
    /// True if the rule is a sentence by itself.
    package var isPublic: Bool
    /// The expansion that the name stands for.
    package var expansion: JSGFExpansion
    /// The position of the definition.
    package var position: TextPosition
    /// The file of the definition, if it was imported.
    package var file: String?
  }

  /// The name of the grammar.
  package var name: String
  /// The rules in the order of the source.
  package var rules: [Rule]

  /// Parses and checks a grammar that does not import others.
  ///
  /// - Throws: `JSGFError` with the first error and its position.
  public init(_ text: String) throws(JSGFError) {
    self = try JSGFLinker(folders: []).grammar(try JSGFSource(text, file: nil))
    try check()
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
    do throws(JSGFError) {
      try check()
    } catch {
      var named = error
      named.file = error.file ?? file.lastPathComponent
      throw named
    }
  }

  init(name: String, rules: [Rule]) {
    self.name = name
    self.rules = rules
  }

  /// Checks the grammar.
  ///
  /// - Throws: `JSGFError` with the first error and its position.
  func check() throws(JSGFError) {
    if let first = JSGFChecker(self).problems.first { throw first }
  }

  /// The text of the grammar for PocketSphinx.
  ///
  /// - Parameter spellings: the dictionary's spellings of words, where they differ.
  package func written(spellings: [String: String] = [:]) -> String {
    JSGFWriter(self, spellings: spellings).text
  }

  /// All words with their positions, including repeated ones.
  package var words: [JSGFWord] { rules.flatMap { $0.expansion.words } }
}

/// A word in a grammar, with its position.
package struct JSGFWord: Sendable, Equatable {
  /// The word.
  package var text: String
  /// The position of the word.
  package var position: TextPosition
}

/// A part of a rule.
package indirect enum JSGFExpansion: Sendable, Equatable {
  /// A word.
  case word(JSGFWord)
  /// The expansion of another rule.
  case rule(String, TextPosition)
  /// Expansions one after the other.
  case sequence([JSGFExpansion])
  /// One of several alternatives.
  case alternatives([JSGFAlternative])
  /// An expansion that may be left out.
  case optional(JSGFExpansion)
  /// A repeated expansion: any number of times (`*`), or at least once (`+`).
  case repeated(JSGFExpansion, atLeastOnce: Bool)
  /// An expansion with tags for the program.
  case tagged(JSGFExpansion, [String])
  /// The empty expansion, `<NULL>`.
  case null
  /// An expansion that cannot be spoken, `<VOID>`.
  case void
}

/// One of several alternatives.
package struct JSGFAlternative: Sendable, Equatable {
  /// The weight relative to the others; `nil` if the source has none.
  package var weight: Double?
  /// The expansion of this alternative.
  package var expansion: JSGFExpansion

  /// True unless its weight is 0.
  var isPossible: Bool { weight != 0 }
}

extension JSGFExpansion {
  /// The direct parts of the expansion.
  var parts: [JSGFExpansion] {
    switch self {
    case .word, .rule, .null, .void: []
    case .sequence(let parts): parts
    case .alternatives(let alternatives): alternatives.map(\.expansion)
    case .optional(let part), .repeated(let part, _), .tagged(let part, _): [part]
    }
  }

  package var words: [JSGFWord] {
    if case .word(let word) = self { return [word] }
    return parts.flatMap(\.words)
  }
}

/// The limits of a grammar: far beyond useful sizes, and well within what PocketSphinx can handle.
enum JSGFLimits {
  static let bytes = 1_048_576
  static let depth = 100
  /// The maximum depth of rules that use rules.
  static let ruleDepth = 500
  /// The maximum number of words once each use of a rule is expanded.
  static let writtenOutWords = 200_000
  /// The maximum number of files of a grammar.
  static let files = 64
}

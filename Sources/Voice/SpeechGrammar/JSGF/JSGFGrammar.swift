import Foundation

/// A grammar in the JSpeech Grammar Format, as a value: read, and checked for everything that can be
/// told without a dictionary.
///
/// ```swift
/// let grammar = try JSGFGrammar("#JSGF V1.0; grammar g; public <light> = lights (on | off);")
/// grammar.words.map(\.text)   // ["lights", "on", "off"]
/// ```
public struct JSGFGrammar: Sendable, Equatable {
  /// A rule: a name and what it stands for.
  public struct Rule: Sendable, Equatable {
    /// The name, without the angle brackets.
    public var name: String
    /// Whether it may be said by itself.
    public var isPublic: Bool
    /// What it stands for.
    public var expansion: JSGFExpansion
    /// Where it is written.
    public var position: TextPosition
    /// The name of the file in which it is written, if it was imported.
    public var file: String?
  }

  /// The name of the grammar.
  public var name: String
  /// Its rules in the order in which they are written.
  public var rules: [Rule]

  /// Reads and checks a grammar that stands by itself.
  ///
  /// - Throws: `JSGFError` with the first problem and its place.
  public init(_ text: String) throws(JSGFError) {
    self = try JSGFLinker(folders: []).grammar(try JSGFSource(text, file: nil))
    try check()
  }

  /// Reads and checks a grammar in a file, with what it imports.
  ///
  /// `import <package.name.rule>;` and `import <package.name.*>;` are looked for in the file's own
  /// folder and then in the others, as “package.name” or “name” with the ending `.jsgf` or `.gram`, and
  /// nowhere else. Imported rules are named with their grammar: `package.name.rule`.
  ///
  /// - Throws: `JSGFError` with the first problem, its file and its place.
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

  /// Looks for what could be misunderstood.
  ///
  /// - Throws: `JSGFError` with the first problem and its place.
  func check() throws(JSGFError) {
    if let first = JSGFChecker(self).problems.first { throw first }
  }

  /// The grammar as the text that the library gets; `spellings` are how the dictionary writes words,
  /// where that differs.
  package func written(spellings: [String: String] = [:]) -> String {
    JSGFWriter(self, spellings: spellings).text
  }

  /// All words with their places, repeated ones included.
  public var words: [JSGFWord] { rules.flatMap { $0.expansion.words } }
}

/// A word in a grammar, and where it is.
public struct JSGFWord: Sendable, Equatable {
  /// The word.
  public var text: String
  /// Where it is written.
  public var position: TextPosition
}

/// What may be said in one place of a grammar.
public indirect enum JSGFExpansion: Sendable, Equatable {
  /// A word.
  case word(JSGFWord)
  /// What another rule stands for.
  case rule(String, TextPosition)
  /// One after the other.
  case sequence([JSGFExpansion])
  /// One of them, each with its weight if it has one.
  case alternatives([JSGFAlternative])
  /// It or nothing.
  case optional(JSGFExpansion)
  /// It, that many times or more: none (`*`) or one (`+`).
  case repeated(JSGFExpansion, atLeastOnce: Bool)
  /// It, with tags for the program.
  case tagged(JSGFExpansion, [String])
  /// Nothing at all, which is always said: `<NULL>`.
  case null
  /// What can never be said: `<VOID>`.
  case void
}

/// One of several possibilities.
public struct JSGFAlternative: Sendable, Equatable {
  /// How likely it is beside the others; `nil` if nothing is written.
  public var weight: Double?
  /// What may be said.
  public var expansion: JSGFExpansion

  /// Whether it may be said at all.
  var isPossible: Bool { weight != 0 }
}

extension JSGFExpansion {
  /// The expansions that it is made of.
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

/// How large a grammar may be: far beyond what is useful, and well within what PocketSphinx survives.
enum JSGFLimits {
  static let bytes = 1_048_576
  static let depth = 100
  /// How deep rules may call rules.
  static let ruleDepth = 500
  /// How many words the grammar may have when every use of a rule is written out.
  static let writtenOutWords = 200_000
  /// How many files a grammar may consist of.
  static let files = 64
}

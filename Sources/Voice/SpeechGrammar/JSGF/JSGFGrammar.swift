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
  /// The maximum number of transitions with a word in the graph of the sentences.
  static let transitions = 90_000
  static let tooManyTransitions = GrammarDiagnostic.Kind.tooLarge(
    "its sentences have more than \(transitions) words, parts that may be left out counted again. "
      + "Use fewer or shorter sentences, or fewer optional parts")
  /// The maximum number of transitions without a word in it.
  static let silentTransitions = 20_000
  static let tooManyOptions = GrammarDiagnostic.Kind.tooLarge(
    "too many parts in a row may be left out or repeated: they can be combined in more than "
      + "\(silentTransitions) ways. Leave fewer of them optional, or let one alternative list them")
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

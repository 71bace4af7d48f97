/// A grammar under test: the commands, their meaning, and the form that a recogniser takes.
///
/// ```swift
/// let grammar = try TestedGrammar(contentsOf: URL(filePath: "home.commands"))
/// let report = try await ConfusionStudy(grammar).run()
/// ```
public struct TestedGrammar: Sendable {
  /// The commands of the grammar.
  public let commands: CommandGrammar
  /// The matcher that finds the meaning of recognised text.
  public let matcher: CommandMatcher
  /// The form of the grammar that recognisers take.
  public let search: RecogniserSettings.Search

  /// Creates a grammar from an app's commands.
  ///
  /// - Throws: `GrammarFileError`.
  public init(_ commands: CommandGrammar) throws(GrammarFileError) {
    try self.init(commands, file: nil)
  }

  /// Reads a file: JSGF if its name ends in `.jsgf` or `.gram` or it begins with `#JSGF`, otherwise
  /// templates.
  ///
  /// - Throws: `GrammarFileError`.
  public init(contentsOf file: URL) throws(GrammarFileError) {
    let isNamedSo = ["jsgf", "gram"].contains(file.pathExtension.lowercased())
    if isNamedSo || Self.beginsAsJSGF(file) {
      let read: JSGFGrammar
      do throws(JSGFError) {
        read = try JSGFGrammar(contentsOf: file)
      } catch {
        throw GrammarFileError([error])
      }
      // As a file, so that a recogniser can report the position of a word that it lacks.
      try self.init(CommandGrammar(read), file: file)
    } else {
      let read: CommandGrammar
      do throws(CommandGrammarError) {
        read = try CommandGrammar(contentsOf: file)
      } catch {
        throw GrammarFileError(error.diagnostics)
      }
      try self.init(read, file: nil)
    }
  }

  private init(_ commands: CommandGrammar, file: URL?) throws(GrammarFileError) {
    do throws(CommandGrammarError) {
      matcher = try CommandMatcher(commands)
      if let file {
        search = .grammarFile(file)
      } else {
        search = .grammar(try commands.jsgfText())
      }
    } catch {
      throw GrammarFileError(error.diagnostics)
    }
    self.commands = commands
  }

  /// The recogniser of that name in the catalogue, listening for the grammar; the first one for an
  /// empty name.
  ///
  /// - Throws: `SpeechCatalogError`, for example if the recogniser does not support grammars.
  public func recogniser(_ name: String = "") throws -> AnyRecogniser {
    try SpeechCatalog.current.recogniser(name, settings: RecogniserSettings(search: search))
  }

  /// The configuration of PocketSphinx, whose dictionary has the pronunciations.
  func configuration() throws -> PocketSphinxConfiguration {
    PocketSphinxConfiguration(search: try PocketSphinxSearch(search)).withStandardPronunciations
  }

  private static func beginsAsJSGF(_ file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 5)) == Data("#JSGF".utf8)
  }
}

/// The errors of a grammar, each with its position.
///
/// ```swift
/// do {
///   _ = try TestedGrammar(contentsOf: file)
/// } catch {
///   // home.commands:3:14: there is no rule <polite>. …
///   for diagnostic in error.diagnostics { print(diagnostic) }
/// }
/// ```
public struct GrammarFileError: Error, LocalizedError, Sendable, Equatable {
  /// The diagnostics in the order of the text; never empty.
  public var diagnostics: [FileDiagnostic]

  init(_ errors: [GrammarDiagnostic]) {
    diagnostics = errors.map {
      FileDiagnostic(
        file: $0.file, line: $0.position?.line, column: $0.position?.column,
        message: $0.kind.explanation)
    }
  }

  /// One line for each diagnostic.
  public var errorDescription: String? {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

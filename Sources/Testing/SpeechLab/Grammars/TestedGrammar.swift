/// A grammar on the bench: what may be said, what it means, and how a recogniser gets it.
///
/// ```swift
/// let grammar = try TestedGrammar(contentsOf: URL(filePath: "home.commands"))
/// let report = try await ConfusionStudy(grammar).run()
/// ```
public struct TestedGrammar: Sendable {
  /// What may be said.
  public let commands: CommandGrammar
  /// Finds the meaning of what was heard.
  public let matcher: CommandMatcher
  /// What a recogniser listens for.
  public let search: RecogniserSettings.Search

  /// A grammar of an app.
  ///
  /// - Throws: `GrammarFileError`.
  public init(_ commands: CommandGrammar) throws(GrammarFileError) {
    try self.init(commands, file: nil)
  }

  /// A file: JSGF if its name ends in `.jsgf` or `.gram` or it begins with `#JSGF`, else templates.
  ///
  /// - Throws: `GrammarFileError`.
  public init(contentsOf file: URL) throws(GrammarFileError) {
    let isNamedSo = ["jsgf", "gram"].contains(file.pathExtension.lowercased())
    if isNamedSo || Self.beginsAsJSGF(file) {
      let read: JSGFGrammar
      do throws(JSGFError) {
        read = try JSGFGrammar(contentsOf: file)
      } catch {
        throw GrammarFileError(error)
      }
      // As a file, because a recogniser tells where in it a word stands that it lacks.
      try self.init(CommandGrammar(read), file: file)
    } else {
      let read: CommandGrammar
      do throws(CommandGrammarError) {
        read = try CommandGrammar(contentsOf: file)
      } catch {
        throw GrammarFileError(error)
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
      throw GrammarFileError(error)
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

  /// The configuration of PocketSphinx, whose dictionary knows how the words sound.
  func configuration() throws -> PocketSphinxConfiguration {
    PocketSphinxConfiguration(search: try PocketSphinxSearch(search)).withStandardPronunciations
  }

  private static func beginsAsJSGF(_ file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 5)) == Data("#JSGF".utf8)
  }
}

/// Everything that is wrong with a grammar, each with its place.
///
/// ```swift
/// do {
///   _ = try TestedGrammar(contentsOf: file)
/// } catch {
///   for diagnostic in error.diagnostics { print(diagnostic) }   // home.commands:3:14: there is no rule <polite>. …
/// }
/// ```
public struct GrammarFileError: Error, LocalizedError, Sendable, Equatable {
  /// In the order of the text; never empty.
  public var diagnostics: [FileDiagnostic]

  init(_ error: CommandGrammarError) {
    diagnostics = error.diagnostics.map {
      FileDiagnostic(
        file: $0.file, line: $0.position?.line, column: $0.position?.column,
        message: $0.kind.explanation)
    }
  }

  init(_ error: JSGFError) {
    diagnostics = [
      FileDiagnostic(
        file: error.file, line: error.line, column: error.column, message: error.explanation)
    ]
  }

  /// One line for each diagnostic.
  public var errorDescription: String? {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

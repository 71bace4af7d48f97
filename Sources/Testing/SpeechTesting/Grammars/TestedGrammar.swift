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
  /// - Throws: `GrammarProblems`.
  public init(_ commands: CommandGrammar) throws(GrammarProblems) {
    try self.init(commands, file: nil)
  }

  /// A file: JSGF if its name ends in `.jsgf` or `.gram` or it begins with `#JSGF`, else templates.
  ///
  /// - Throws: `GrammarProblems`.
  public init(contentsOf file: URL) throws(GrammarProblems) {
    let isNamedSo = ["jsgf", "gram"].contains(file.pathExtension.lowercased())
    if isNamedSo || Self.beginsAsJSGF(file) {
      let read: JSGFGrammar
      do throws(JSGFError) {
        read = try JSGFGrammar(contentsOf: file)
      } catch {
        throw GrammarProblems(error)
      }
      // As a file, because a recogniser tells where in it a word stands that it lacks.
      try self.init(CommandGrammar(read), file: file)
    } else {
      let read: CommandGrammar
      do throws(CommandGrammarError) {
        read = try CommandGrammar(contentsOf: file)
      } catch {
        throw GrammarProblems(error)
      }
      try self.init(read, file: nil)
    }
  }

  private init(_ commands: CommandGrammar, file: URL?) throws(GrammarProblems) {
    do throws(CommandGrammarError) {
      matcher = try CommandMatcher(commands)
      if let file {
        search = .grammarFile(file)
      } else {
        search = .grammar(try commands.jsgfText())
      }
    } catch {
      throw GrammarProblems(error)
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
///   for problem in error.problems { print(problem) }   // home.commands:3:14: there is no rule <polite>. …
/// }
/// ```
public struct GrammarProblems: Error, LocalizedError, Sendable, Equatable {
  /// One thing that is wrong.
  public struct Problem: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the file, if there is one.
    public var file: String?
    /// The line, counted from one; `nil` if it concerns the whole.
    public var line: Int?
    /// The character in the line, counted from one.
    public var column: Int?
    /// What is wrong and what to do about it.
    public var message: String

    /// “file:line:column: what is wrong and what to do about it”.
    public var description: String {
      let place = [file] + [line, column].map { $0.map(String.init) }
      let prefix = place.compactMap(\.self).joined(separator: ":")
      return prefix.isEmpty ? message : "\(prefix): \(message)"
    }
  }

  /// In the order of the text; never empty.
  public var problems: [Problem]

  init(_ error: CommandGrammarError) {
    problems = error.problems.map {
      Problem(
        file: $0.file, line: $0.position?.line, column: $0.position?.column,
        message: $0.kind.explanation)
    }
  }

  init(_ error: JSGFError) {
    problems = [
      Problem(
        file: error.file, line: error.line, column: error.column, message: error.explanation)
    ]
  }

  /// A line for each problem.
  public var errorDescription: String? {
    problems.map(\.description).joined(separator: "\n")
  }
}

import SpeechCommand
import SpeechKit

/// A grammar file of any form. Errors of the grammar are reported with the name of the file.
struct GrammarFile {
  private let url: URL
  private let source: String

  init(path: String) async throws {
    url = URL(fileURLWithPath: path)
    source = try await TextInput().read(path: path)
  }

  /// The search of a recogniser that listens for the grammar.
  func search() throws -> RecogniserSettings.Search {
    guard !isTemplate else { return .grammar(try text()) }
    _ = try jsgf()
    // As a file, because it may import others.
    return mayImport ? .grammarFile(url) : .grammar(source)
  }

  /// The grammar as JSGF that needs no other file.
  func text() throws -> String {
    let grammar =
      isTemplate
      ? try CommandGrammar(template: source, file: url.lastPathComponent)
      : CommandGrammar(try jsgf())
    return try grammar.jsgfText()
  }

  private var isTemplate: Bool { url.pathExtension == "commands" }
  private var mayImport: Bool { ["jsgf", "gram"].contains(url.pathExtension) }

  private func jsgf() throws(JSGFError) -> JSGFGrammar {
    guard !mayImport else { return try JSGFGrammar(contentsOf: url) }
    do {
      return try JSGFGrammar(source)
    } catch {
      throw JSGFError(error.kind, at: error.position, in: url.lastPathComponent)
    }
  }
}

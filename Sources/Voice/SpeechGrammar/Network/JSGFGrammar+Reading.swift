import Foundation

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
}

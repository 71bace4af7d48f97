import Foundation

/// A parsed grammar, not yet joined with its imports.
struct JSGFSource {
  /// A rule of another grammar, or all of them: `package.name.rule`, `package.name.*`.
  struct Import {
    var name: String
    var position: TextPosition
  }

  var name: String
  var file: String?
  var imports: [Import] = []
  var rules: [JSGFGrammar.Rule] = []
}

extension JSGFSource {
  init(_ text: String, file: String?) throws(JSGFError) {
    guard text.utf8.count <= JSGFLimits.bytes else {
      throw GrammarDiagnostic(JSGFLimits.tooManyBytes, in: file)
    }
    do throws(JSGFError) {
      var parser = try JSGFParser(text)
      self = try parser.source(file: file)
    } catch {
      throw GrammarDiagnostic(error.kind, at: error.position, in: file)
    }
  }

  /// The text in a file, unless it is not a file or too large.
  static func text(of url: URL) throws(JSGFError) -> String {
    let name = url.lastPathComponent
    let data: Data
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      // An empty file has no bytes to read, which is not an error.
      data = try file.read(upToCount: JSGFLimits.bytes + 1) ?? Data()
    } catch {
      throw GrammarDiagnostic(.unreadable("The grammar cannot be read. Check the path."), in: name)
    }
    guard data.count <= JSGFLimits.bytes else {
      throw GrammarDiagnostic(JSGFLimits.tooManyBytes, in: name)
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw GrammarDiagnostic(.unreadable("The grammar is no text in UTF-8. Convert it."), in: name)
    }
    return text
  }
}

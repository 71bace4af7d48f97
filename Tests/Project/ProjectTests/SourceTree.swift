import Foundation
import TestSupport

/// The modules of the package as they lie in `Sources`.
struct SourceTree {
  /// A module: a folder inside the folder of an area.
  struct Module {
    var area: String
    var name: String
    var files: [SourceFile]

    /// The modules of this package that its files import.
    var imports: Set<String>

    /// True for C libraries and our own C, which hold no Swift.
    var isSystem: Bool { area == "System" }
  }

  /// A Swift file of a module.
  struct SourceFile {
    /// The path inside the module's folder.
    var path: String
    /// The text without comments and string literals.
    var code: String

    /// The first folder of the path; empty for a file that lies in no folder.
    var folder: String {
      path.split(separator: "/").count > 1 ? String(path.prefix { $0 != "/" }) : ""
    }
  }

  /// The order of the areas: each may import those before it, and its own.
  static let areas = [
    "System", "Base", "Services", "Voice", "Actions", "Testing", "Programs",
  ]

  let modules: [Module]

  init(root: URL = ProjectFolder.root) throws {
    let sources = root.appending(path: "Sources")
    let manager = FileManager.default
    var modules: [Module] = []
    for area in try manager.contentsOfDirectory(atPath: sources.path).sorted() {
      let folder = sources.appending(path: area)
      for name in try manager.contentsOfDirectory(atPath: folder.path).sorted() {
        let files = try Self.files(in: folder.appending(path: name))
        modules.append(Module(area: area, name: name, files: files, imports: []))
      }
    }
    let names = Set(modules.map(\.name))
    for index in modules.indices {
      let imported = modules[index].files.flatMap { Self.imports(in: $0.code) }
      modules[index].imports = Set(imported).intersection(names)
      modules[index].imports.remove(modules[index].name)
    }
    self.modules = modules
  }

  /// The folders of a module that each folder refers to, by the types that they declare, with an
  /// example.
  static func references(in module: Module) -> [String: [String: String]] {
    var declarations: [String: Set<String>] = [:]
    for file in module.files {
      for match in file.code.matches(of: declaration) {
        declarations[String(match.output.1), default: []].insert(file.folder)
      }
    }
    var references: [String: [String: String]] = [:]
    for file in module.files {
      for match in file.code.matches(of: typeName) {
        let name = String(match.output)
        // A name that several folders declare says nothing about any of them.
        guard let folders = declarations[name], folders.count == 1, let folder = folders.first,
          folder != file.folder
        else { continue }
        references[file.folder, default: [:]][folder] = "\(name) in \(file.path)"
      }
    }
    return references
  }

  private static var declaration: Regex<(Substring, Substring)> {
    #/(?m)^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|open|final|indirect|nonisolated)\s+)*(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)/#
  }

  private static var typeName: Regex<Substring> { #/\b[A-Z]\w*\b/# }

  private static var importLine: Regex<(Substring, Substring)> {
    #/(?m)^\s*(?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|private|fileprivate)\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var|typealias)\s+)?(\w+)/#
  }

  private static func imports(in code: String) -> [String] {
    code.matches(of: importLine).map { String($0.output.1) }
  }

  private static func files(in folder: URL) throws -> [SourceFile] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      return SourceFile(path: path, code: code(of: text))
    }
  }

  /// The text without comments and string literals, in which types may be named as well.
  private static func code(of text: String) -> String {
    text.replacing(#/"""(?:.|\n)*?"""/#, with: "\"\"")
      .replacing(#/"(?:\\.|[^"\\\n])*"/#, with: "\"\"")
      .replacing(#///[^\n]*/#, with: "")
  }
}

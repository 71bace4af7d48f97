import Foundation
import TestSupport
import Testing

/// The rules of CONTRIBUTING.md about what imports what.
struct ArchitectureTests {
  private let tree: SourceTree

  init() throws {
    tree = try SourceTree()
  }

  @Test func `the folders of Sources are the areas`() {
    #expect(Set(tree.modules.map(\.area)) == Set(SourceTree.areas))
  }

  @Test func `no module imports one of a later area`() throws {
    let areas = Dictionary(uniqueKeysWithValues: tree.modules.map { ($0.name, $0.area) })
    for module in tree.modules {
      let own = try #require(SourceTree.areas.firstIndex(of: module.area))
      for name in module.imports {
        let other = try #require(areas[name].flatMap(SourceTree.areas.firstIndex))
        #expect(other <= own, "\(module.name) imports \(name)")
      }
    }
  }

  @Test func `in Voice only the bridges look at Services`() {
    let services = Set(tree.modules.filter { $0.area == "Services" }.map(\.name))
    for module in tree.modules where module.area == "Voice" {
      guard !["SpeechCloud", "SpeechKit"].contains(module.name) else { continue }
      let imports = module.imports.intersection(services)
      #expect(imports.isEmpty, "\(module.name) imports \(imports.sorted())")
    }
  }

  @Test func `one module imports each C library`() {
    for library in tree.modules where library.isSystem {
      let users = tree.modules.filter { $0.imports.contains(library.name) }.map(\.name)
      #expect(users.count <= 1, "\(library.name) is imported by \(users)")
    }
  }

  @Test func `no folders of a module refer to each other in a circle`() {
    for module in tree.modules {
      let references = SourceTree.references(in: module)
      for (folder, others) in references {
        for (other, example) in others where Self.leads(from: other, to: folder, in: references) {
          Issue.record(
            "In \(module.name), “\(folder)” and “\(other)” refer to each other: \(example)")
        }
      }
    }
  }

  @Test func `the table in CONTRIBUTING has every module with its imports`() throws {
    let text = try String(
      contentsOf: ProjectFolder.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    var rows: [String: Set<String>] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count >= 3 else { continue }
      let imports = cells[1].split(separator: ",").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
      rows[cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))] =
        Set(imports.filter { $0 != "–" })
    }
    let system = Set(tree.modules.filter(\.isSystem).map(\.name))
    for module in tree.modules where !module.isSystem {
      let row = try #require(rows[module.name], "\(module.name) has no row")
      let imports = module.imports.subtracting(system)
      #expect(row == imports, "\(module.name) imports \(imports.sorted())")
    }
    for name in rows.keys {
      #expect(tree.modules.contains { $0.name == name }, "there is no module \(name)")
    }
  }

  /// True if references lead from one folder to the other, over any number of folders between them.
  private static func leads(
    from start: String, to goal: String, in references: [String: [String: String]]
  ) -> Bool {
    var seen: Set<String> = []
    var waiting = [start]
    while let folder = waiting.popLast() {
      guard folder != goal else { return true }
      guard seen.insert(folder).inserted else { continue }
      waiting += references[folder, default: [:]].keys
    }
    return false
  }
}

import Foundation
import Testing

@testable import SpeechFiles

struct FileSetTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func text(_ folder: String, _ name: String) throws -> String {
    try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
  }

  private func replace(_ folder: String, by files: [String: String]) throws {
    var replacement = try FileSetReplacement(folder)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: replacement.draft + "/" + name))
    }
    try replacement.commit()
  }

  @Test func `a set replaces another as a whole, and leaves other files alone`() throws {
    try withFolder { folder in
      try replace(folder, by: ["a": "1", "b": "2"])
      try Data("mine".utf8).write(to: URL(filePath: folder + "/notes"))
      try replace(folder, by: ["a": "3", "b": "4"])
      #expect(try names(in: folder) == ["a", "b", "manifest.json", "notes"])
      #expect(try text(folder, "a") == "3")
      #expect(try text(folder, "notes") == "mine")
      try FileSet.manifest(of: folder)?.check(in: folder)
    }
  }

  @Test func `an abandoned set leaves the old one`() throws {
    try withFolder { folder in
      try replace(folder, by: ["a": "1"])
      do {
        let replacement = try FileSetReplacement(folder)
        try Data("2".utf8).write(to: URL(filePath: replacement.draft + "/a"))
      }
      #expect(try names(in: folder) == ["a", "manifest.json"])
      #expect(try text(folder, "a") == "1")
    }
  }

  /// Lays a folder out as a killed program left it.
  @Test(arguments: 0...4)
  func `a program that is killed leaves the old set or the new one`(step: Int) throws {
    try withFolder { folder in
      try replace(folder, by: ["a": "1", "b": "1"])
      let other = folder + "-other"
      defer { try? FileManager.default.removeItem(atPath: other) }
      try replace(other, by: ["a": "2", "b": "2"])
      let manager = FileManager.default
      let place = folder + (step == 0 ? "/.set-draft" : "/.set-next")
      try manager.moveItem(atPath: other, toPath: place)
      // The files that had been moved to their names already.
      for name in ["a", "b", "manifest.json"].prefix(max(0, step - 1)) {
        try manager.removeItem(atPath: folder + "/" + name)
        try manager.moveItem(atPath: place + "/" + name, toPath: folder + "/" + name)
      }
      try FileSet.manifest(of: folder)?.check(in: folder)
      for name in ["a", "b"] { #expect(try text(folder, name) == (step == 0 ? "1" : "2")) }
      try replace(folder, by: ["a": "3", "b": "3"])
      #expect(try names(in: folder) == ["a", "b", "manifest.json"])
    }
  }

  @Test func `files of another set, changed, missing and damaged ones are noticed`() throws {
    try withFolder { folder in
      func mismatch() -> String? {
        do throws(FileSet.Mismatch) {
          try FileSet.manifest(of: folder)?.check(in: folder)
          return nil
        } catch {
          return error.file
        }
      }
      let long = String(repeating: "x", count: 3_000_001)
      try replace(folder, by: ["a": "1", "b": long])
      #expect(mismatch() == nil)
      try Data((long.dropLast() + "y").utf8).write(to: URL(filePath: folder + "/b"))
      #expect(mismatch() == "b")
      try Data(long.dropLast().utf8).write(to: URL(filePath: folder + "/b"))
      #expect(mismatch() == "b")
      try Data(long.utf8).write(to: URL(filePath: folder + "/b"))
      #expect(mismatch() == nil)
      try FileManager.default.removeItem(atPath: folder + "/a")
      #expect(mismatch() == "a")
      try Data("{".utf8).write(to: URL(filePath: folder + "/manifest.json"))
      #expect(mismatch() == "manifest.json")
    }
  }

  @Test func `a folder that cannot be created is reported with the system's number`() throws {
    try withFolder { folder in
      try Data().write(to: URL(filePath: folder))
      let failure = #expect(throws: SystemFailure.self) {
        _ = try FileSetReplacement(folder + "/set")
      }
      #expect(failure?.code == ENOTDIR)
    }
  }
}

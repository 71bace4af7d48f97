import Foundation
import SpeechFiles
import Testing

struct FileReplacementTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func mode(of file: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test func `the old file stays until the new one is whole`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "notes.txt")
      try Data("old".utf8).write(to: file)
      var replacement = try FileReplacement(file.path, mode: 0o640)
      try replacement.write(Data("new ".utf8))
      #expect(try String(contentsOf: file, encoding: .utf8) == "old")
      let left = try names(in: folder).filter { $0 != "notes.txt" }
      #expect(left.count == 1)
      #expect(left.allSatisfy { FileReplacement.isTemporary($0, for: "notes.txt") })
      #expect(!left.contains { FileReplacement.isTemporary($0, for: "other.txt") })
      try replacement.write(Data("text".utf8))
      try replacement.commit()
      #expect(try String(contentsOf: file, encoding: .utf8) == "new text")
      #expect(try names(in: folder) == ["notes.txt"])
      #expect(try mode(of: file) == 0o640)
    }
  }

  @Test func `an abandoned replacement leaves nothing`() throws {
    try withFolder { folder in
      do {
        let replacement = try FileReplacement(folder.appending(path: "a").path, mode: 0o600)
        try replacement.write(Data("half".utf8))
      }
      #expect(try names(in: folder).isEmpty)
    }
  }

  @Test func `what killed programs left is removed, and what others are writing is not`() throws {
    try withFolder { folder in
      let path = folder.appending(path: "notes.txt").path
      let left = folder.appending(path: ".notes.txt.1.part")
      try Data("half of it".utf8).write(to: left)
      do {
        let first = try FileReplacement(path, mode: 0o600)
        try first.write(Data("first".utf8))
        #expect(try String(contentsOf: left, encoding: .utf8) == "first")
        var second = try FileReplacement(path, mode: 0o600)
        try second.write(Data("second".utf8))
        try second.commit()
        #expect(try names(in: folder) == [".notes.txt.1.part", "notes.txt"])
        #expect(try String(contentsOf: left, encoding: .utf8) == "first")
        withExtendedLifetime(first) {}
      }
      #expect(try names(in: folder) == ["notes.txt"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "second")
    }
  }

  @Test func `a folder in the place of a temporary file is left alone`() throws {
    try withFolder { folder in
      let path = folder.appending(path: "notes.txt").path
      try FileManager.default.createDirectory(
        at: folder.appending(path: ".notes.txt.1.part"), withIntermediateDirectories: true)
      try Data("text".utf8).replace(path)
      #expect(try names(in: folder) == [".notes.txt.1.part", "notes.txt"])
    }
  }

  @Test func `a name may begin with a combining mark`() throws {
    try withFolder { folder in
      let name = "\u{301}a.txt"
      let path = folder.path + "/" + name
      try Data("old".utf8).replace(path)
      var replacement = try FileReplacement(path, mode: 0o600)
      let left = try names(in: folder).filter { $0 != name }
      #expect(left.count == 1)
      #expect(left.allSatisfy { FileReplacement.isTemporary($0, for: name) })
      try replacement.commit()
      #expect(try names(in: folder) == [name])
    }
  }

  @Test func `data keep the permissions of the file that they replace`() throws {
    try withFolder { folder in
      let file = folder.appending(path: String(repeating: "ü", count: 100))
      try Data("one".utf8).replace(file.path, mode: 0o604)
      try Data("two".utf8).replace(file.path)
      #expect(try mode(of: file) == 0o604)
      #expect(try String(contentsOf: file, encoding: .utf8) == "two")
      #expect(try names(in: folder).count == 1)
    }
  }

  @Test func `a failure has the system's number and message`() {
    let failure = #expect(throws: SystemFailure.self) {
      try Data().replace("/no/such/folder/file", mode: 0o600)
    }
    #expect(failure?.code == ENOENT)
    #expect(failure?.description == String(cString: strerror(ENOENT)))
  }

  @Test func `a lock is held by one at a time`() throws {
    try withFolder { folder in
      let path = folder.appending(path: ".lock").path
      do {
        let first = try FileLock.waiting(for: path)
        let isFree = try FileLock.ifFree(path) != nil
        #expect(!isFree)
        withExtendedLifetime(first) {}
      }
      let isFree = try FileLock.ifFree(path) != nil
      #expect(isFree)
    }
  }
}

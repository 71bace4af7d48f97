import Foundation
import SpeechFiles
import Testing

struct TemporaryFileTests {
  /// A suffix of this test alone, because the folder belongs to all programs.
  private let suffix = "test-\(UUID().uuidString.prefix(8))"

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: FileManager.default.temporaryDirectory.path
      ).filter { $0.contains(suffix) }
    }
  }

  @Test func `a file is the user's alone, and removed with its value`() throws {
    do {
      let file = try TemporaryFile(suffix)
      let other = try TemporaryFile(suffix)
      try file.write(Data("one".utf8))
      try TemporaryFile.write(Data("two".utf8), to: other.path)
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "one")
      #expect(try String(contentsOfFile: other.path, encoding: .utf8) == "two")
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try names.count == 2)
      withExtendedLifetime(file) {}
      withExtendedLifetime(other) {}
    }
    #expect(try names.isEmpty)
  }

  @Test func `the file of a killed program is removed by the next one`() throws {
    do {
      let file = try TemporaryFile(suffix)
      try file.write(Data("of a killed program".utf8))
      // A copy without a lock, as a killed program leaves it.
      let left = file.path + ".left"
      try FileManager.default.moveItem(atPath: file.path, toPath: left)
      try FileManager.default.copyItem(atPath: left, toPath: file.path)
      try FileManager.default.removeItem(atPath: left)
      let next = try TemporaryFile(suffix)
      #expect(next.path == file.path)
      #expect(try Data(contentsOf: URL(filePath: next.path)).isEmpty)
      withExtendedLifetime(file) {}
      withExtendedLifetime(next) {}
    }
    #expect(try names.isEmpty)
  }

  @Test func `a file that was not created is not written`() {
    let path = FileManager.default.temporaryDirectory.appending(path: suffix).path
    #expect(throws: TemporaryFileError.self) {
      try TemporaryFile.write(Data("text".utf8), to: path)
    }
  }
}

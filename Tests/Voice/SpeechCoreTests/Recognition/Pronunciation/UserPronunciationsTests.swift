import Foundation
import TestSupport
import Testing

@testable import SpeechCore

@Suite struct UserPronunciationsTests {
  /// A file of its own for a test.
  private func with<Result>(
    _ text: String? = nil, _ body: (UserPronunciations) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "pronunciations-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "sub/en.dict")
    if let text {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return try body(UserPronunciations(file: url))
  }

  @Test func `pronunciations are stored for the next program until they are removed`() throws {
    try with { mine in
      #expect(try mine.all().isEmpty)
      #expect(try !mine.remove("siobhan"))
      try mine.set("siobhan", to: [["SH", "AH", "V", "AO", "N"], ["SH", "IH", "V", "AO", "N"]])
      try mine.set("gif", to: [["G", "IH", "F"]])
      let other = UserPronunciations(file: mine.url)
      #expect(try other.pronunciations(of: "siobhan").count == 2)
      #expect(
        try String(contentsOf: mine.url, encoding: .utf8) == """
          ;;; Pronunciations of SpeechKit, in the format of CMUdict.
          gif  G IH F
          siobhan  SH AH V AO N
          siobhan(2)  SH IH V AO N

          """)
      try other.set("siobhan", to: [["S"]])
      #expect(try mine.pronunciations(of: "siobhan") == [["S"]])
      #expect(try mine.remove("siobhan"))
      #expect(try mine.all() == ["gif": [["G", "IH", "F"]]])
    }
  }

  @Test func `a file of CMUdict's form is read, and its first comments are kept`() throws {
    let text =
      ";;; mine\n\n## more\nread\tR IY D # now\r\nread(2) R EH D\n;;; lost\nJosé HH OW Z EY\n"
    try with(text) { mine in
      #expect(
        try mine.all() == [
          "read": [["R", "IY", "D"], ["R", "EH", "D"]], "José": [["HH", "OW", "Z", "EY"]],
        ])
      try mine.set("a", to: [["EY"]])
      let written = try String(contentsOf: mine.url, encoding: .utf8)
      #expect(written.hasPrefix(";;; mine\n## more\nJosé  HH OW Z EY\na  EY\n"))
      #expect(!written.contains("lost"))
    }
  }

  @Test(arguments: [
    ("a EY\nb\n", 2, "no phones"), ("\n\n(x) A\n", 3, "cannot be a word"),
    ("a EY\u{1}\n", 1, "cannot be a phone"), ("a;b EY\n", 1, "cannot be a word"),
    ("a " + String(repeating: "EY ", count: 101), 1, "101 phones"),
  ])
  func `an error names its line, and the file is unchanged`(
    text: String, line: Int, reason: String
  ) throws {
    try with(text) { mine in
      let error = #expect(throws: PronunciationFileError.self) { try mine.all() }
      #expect(error?.line == line)
      #expect(error?.kind == .content)
      #expect(error?.localizedDescription.contains(reason) == true)
      #expect(error?.localizedDescription.contains("line \(line)") == true)
      #expect(throws: PronunciationFileError.self) { try mine.set("x", to: [["K"]]) }
      let kept = try String(contentsOf: mine.url, encoding: .utf8)
      #expect(kept == text)
    }
  }

  @Test func `an invalid word or phone is refused with the list of phones`() throws {
    try with { mine in
      for word in ["", "two words", "a(2)", "a|b", "a\n", String(repeating: "a", count: 300)] {
        #expect(throws: PronunciationFileError.self) { try mine.set(word, to: [["EY"]]) }
      }
      #expect(throws: PronunciationFileError.self) { try mine.set("a", to: []) }
      #expect(throws: PronunciationFileError.self) { try mine.set("a", to: [[]]) }
      let error = #expect(throws: PronunciationFileError.self) {
        try mine.set("a", to: [["EY", "QQ"]], among: ["EY", "B"])
      }
      #expect(error?.reason.contains("QQ. It knows B EY.") == true)
      #expect(!FileManager.default.fileExists(atPath: mine.url.path))
    }
  }

  @Test func `concurrent writers lose no word`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "pronunciations-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let mine = UserPronunciations(file: folder.appending(path: "en.dict"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for word in 0..<10 { try mine.set("w\(writer)x\(word)", to: [["K"]]) }
          let count = try mine.all().count
          #expect(count >= 10)
        }
      }
      try await group.waitForAll()
    }
    #expect(try mine.all().count == 80)
  }

  @Test func `a folder in the place of the file is reported`() throws {
    try with { mine in
      try FileManager.default.createDirectory(at: mine.url, withIntermediateDirectories: true)
      let read = #expect(throws: PronunciationFileError.self) { try mine.all() }
      #expect(read?.kind == .unreadable)
      let blocked = UserPronunciations(file: URL(filePath: "/proc/nowhere/en.dict"))
      let written = #expect(throws: PronunciationFileError.self) {
        try blocked.set("a", to: [["EY"]])
      }
      #expect(written?.kind == .unwritable)
    }
  }

  @Test func `the user's own file is among the user's data`() throws {
    let mine = try UserPronunciations(
      locale: Locale(identifier: "en_US"), environment: ["XDG_DATA_HOME": "/data"])
    #expect(mine.url.path == "/data/speechkit/pronunciations/en.dict")
    #expect(UserDictionary.off.pronunciations(for: Locale(identifier: "en")) == nil)
  }

  @Test func `any bytes are a dictionary or an error, and written text reads the same`() throws {
    var random = PronunciationFuzz(seed: 11)
    for _ in 0..<Endurance.count(full: 3_000, short: 300) {
      let data = random.file()
      guard let text = try? PronunciationText(data, path: "x") else { continue }
      let again = try PronunciationText(Data(text.text.utf8), path: "x")
      #expect(again.pronunciations == text.pronunciations, "\(Array(data))")
    }
  }
}

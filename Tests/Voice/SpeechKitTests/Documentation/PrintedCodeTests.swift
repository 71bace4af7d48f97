import Foundation
import TestSupport
import Testing

/// The Swift code in the documents is code that is compiled here or in the samples.
struct PrintedCodeTests {
  private static let root = ProjectFolder.root

  /// The README and all articles.
  private static let documents: [String] = {
    let folder = "Sources/Voice/SpeechKit/SpeechKit.docc"
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: folder).path)
    let articles = (names ?? []).filter { $0.hasSuffix(".md") }.sorted()
    return ["README.md"] + articles.map { "\(folder)/\($0)" }
  }()

  @Test func `there are articles`() {
    #expect(Self.documents.count > 8)
  }

  @Test(arguments: documents)
  func `every line of Swift that is printed has been compiled`(_ document: String) throws {
    let compiled = try Self.compiledCode()
    let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
    for block in Self.swiftBlocks(in: text) {
      #expect(compiled.contains(block), "not in the tests or samples: \(block.prefix(200))")
    }
  }

  /// The Swift code of these tests, of the tests of text actions, and of the samples.
  private static func compiledCode() throws -> String {
    var code = ""
    for folder in ["Tests/Voice/SpeechKitTests", "Tests/Actions", "Samples"] {
      let files = FileManager.default.enumerator(
        at: root.appending(path: folder), includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        code += plain(try String(contentsOf: file, encoding: .utf8)) + "\n"
      }
    }
    return code
  }

  private static func swiftBlocks(in text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first.map(plain) }
  }

  /// The code without comments, blanks and semicolons.
  private static func plain(_ code: String) -> String {
    code.split(separator: "\n").map { line in
      let comment =
        line.range(of: "///? ", options: .regularExpression)?.lowerBound ?? line.endIndex
      return line[..<comment].filter { !$0.isWhitespace && $0 != ";" }
    }
    .joined()
  }
}

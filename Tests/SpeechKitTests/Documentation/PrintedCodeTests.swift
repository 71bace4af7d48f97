import Foundation
import Testing

/// The Swift code in the documents is code that is compiled here or in the samples.
struct PrintedCodeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let documents =
    ["README.md"]
    + [
      "SpeechKit.md", "FirstWords.md", "AddingARecogniser.md", "AddingAVoice.md", "Testing.md",
      "TestingCommands.md", "UsingServices.md", "Rejection.md", "WakeWords.md",
    ].map { "Sources/SpeechKit/SpeechKit.docc/\($0)" }

  @Test(arguments: documents)
  func `every line of Swift that is printed has been compiled`(_ document: String) throws {
    let compiled = try Self.compiledCode()
    let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
    let blocks = Self.swiftBlocks(in: text)
    #expect(!blocks.isEmpty)
    for block in blocks {
      #expect(compiled.contains(block), "not in the tests or samples: \(block.prefix(200))")
    }
  }

  /// All Swift beside this file and in the samples.
  private static func compiledCode() throws -> String {
    var code = ""
    for folder in ["Tests/SpeechKitTests", "Samples"] {
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

  /// The code without blank lines and indentation.
  private static func plain(_ code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

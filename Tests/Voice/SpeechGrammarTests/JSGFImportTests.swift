import Foundation
import Testing

@testable import SpeechGrammar

@Suite final class JSGFImportTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("jsgf-\(UUID().uuidString)")
  private var other: URL { folder.appendingPathComponent("other") }

  init() throws {
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @discardableResult
  private func write(_ name: String, _ text: String, in place: URL? = nil) throws -> URL {
    let file = (place ?? folder).appendingPathComponent(name)
    try Data(("#JSGF V1.0;\n" + text).utf8).write(to: file)
    return file
  }

  private func error(_ file: URL, _ folders: [URL] = []) -> JSGFError? {
    do {
      _ = try JSGFGrammar(contentsOf: file, importingFrom: folders)
      return nil
    } catch {
      return error
    }
  }

  @Test func `rules of other files are imported with their dependencies`() throws {
    try write(
      "com.acme.polite.jsgf",
      "grammar com.acme.polite;\npublic <please> = <word> {p};\n"
        + "<word> = please; public <bye> = bye;"
    )
    try write(
      "sizes.gram", "grammar com.acme.sizes; public <size> = small | <inner>; <inner> = large;")
    let main = try write(
      "main.jsgf",
      """
      grammar com.acme.main;
      import <com.acme.polite.please>;
      import <com.acme.sizes.*>;
      public <order> = <sizes.size> tea [ <please> ] [ <com.acme.main.end> ];
      <end> = now;
      """)
    let grammar = try JSGFGrammar(contentsOf: main)
    #expect(
      grammar.rules.map(\.name).sorted() == [
        "com.acme.polite.please", "com.acme.polite.word", "com.acme.sizes.inner",
        "com.acme.sizes.size", "end", "order",
      ])
    #expect(grammar.rules.filter(\.isPublic).map(\.name) == ["order"])
    let matcher = try CommandMatcher(CommandGrammar(grammar))
    #expect(matcher.match("large tea please")?.tags == ["p"])
    #expect(matcher.match("small tea now") != nil)
    #expect(try JSGFGrammar(grammar.written()).words.count == grammar.words.count)
  }

  @Test func `files are searched in the same folder and in the allowed ones`() throws {
    try write("a.jsgf", "grammar a; public <x> = far;", in: other)
    let main = try write("main.jsgf", "grammar m; import <a.x>;\npublic <y> = <x>;")
    #expect(error(main)?.kind == .importNotFound("a.x"))
    #expect(error(main)?.position == TextPosition(line: 2, column: 19))
    #expect(error(main)?.file == "main.jsgf")
    #expect(error(main, [other]) == nil)
    let up = try write("up.jsgf", "grammar m; import <../a.x>; public <y> = <x>;")
    #expect(error(up, [other])?.kind == .importNotFound("../a.x"))
    // A link must not lead out of the folder.
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("a.jsgf"),
      withDestinationURL: other.appendingPathComponent("a.jsgf"))
    #expect(error(main)?.kind == .importNotFound("a.x"))
  }

  @Test func `cycles, hidden rules and ambiguous names are rejected`() throws {
    try write("a.jsgf", "grammar a; import <b.*>; public <x> = one; <secret> = two;")
    try write("b.jsgf", "grammar b;\nimport <a.*>; public <x> = three;")
    let circle = try write("main.jsgf", "grammar m; import <a.*>; public <y> = <x>;")
    #expect(error(circle)?.kind == .importCycle("a.*"))
    #expect(error(circle)?.file == "b.jsgf")
    #expect(error(circle)?.position?.line == 3)
    let own = try write("own.jsgf", "grammar own; import <own.x>; public <x> = y;")
    #expect(error(own)?.kind == .importCycle("own.x"))
    try write("b.jsgf", "grammar b; public <x> = three;")
    let hidden = try write("hidden.jsgf", "grammar m; import <a.secret>; public <y> = <secret>;")
    #expect(error(hidden)?.kind == .importNotFound("a.secret"))
    let both = try write(
      "both.jsgf", "grammar m; import <a.*>; import <b.*>; public <y> = <x>;")
    #expect(error(both)?.kind == .ambiguousRule("x"))
    let named = try write(
      "named.jsgf", "grammar m; import <a.*>; import <b.*>; public <y> = <a.x> <b.x>;")
    #expect(error(named) == nil)
    let unknown = try write(
      "unknown.jsgf", "grammar m; import <a.x>; public <y> = <a.z>;")
    #expect(error(unknown)?.kind == .undefinedRule("a.z"))
  }

  @Test func `an error in an imported file has the name of that file`() throws {
    try write("a.jsgf", "grammar a;\npublic <x> = (one;")
    let main = try write("main.jsgf", "grammar m; import <a.*>; public <y> = <x>;")
    #expect(error(main)?.file == "a.jsgf")
    #expect(error(main)?.position == TextPosition(line: 3, column: 18))
    try write("a.jsgf", "grammar a;\npublic <x> = <x> one | one;")
    #expect(error(main)?.kind == .recursiveRule("a.x"))
    #expect(error(main)?.file == "a.jsgf")
    #expect(error(main)?.localizedDescription.contains("“a.jsgf”, line 3, column 1") == true)
    // Only regular files are opened.
    try FileManager.default.removeItem(at: folder.appendingPathComponent("a.jsgf"))
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("a.jsgf"), withIntermediateDirectories: true)
    #expect(error(main)?.kind == .importNotFound("a.*"))
  }

  @Test func `a grammar that is not in a file imports nothing`() {
    #expect(throws: JSGFError.self) {
      try JSGFGrammar("#JSGF V1.0; grammar m; import <a.*>; public <y> = <x>;")
    }
  }
}

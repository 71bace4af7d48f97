#if Cloud
import AIServiceTesting
import AIServices
import Foundation
import SpeechKit
import TestSupport
import Testing

@testable import speechkit

/// `speechkit engines` with a model host on this machine.
struct EnginesCommandTests {
  private static let path = "/ggml-tiny.en.bin"
  private let server: LoopbackServer
  private let workshop: Workshop
  private let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13 ^ $0 >> 7) })

  init() throws {
    server = try LoopbackServer()
    workshop = try Workshop()
    let content = content
    server.reply(to: Self.path) { .file(content, for: $0) }
  }

  private func tool(_ arguments: String...) -> Tool {
    var tool = Tool(["engines"] + arguments)
    tool.environment = ["XDG_DATA_HOME": workshop.folder.path, "SPEECHKIT_WHISPER": ""]
    return tool
  }

  /// Adds the content of the server, which is not the published model.
  private func adding(_ digest: String? = nil) -> Tool {
    tool(
      "add", "whisper:tiny.en", "--from", server.url().absoluteString, "--sha256",
      digest ?? Digest.sha256(content))
  }

  private var models: URL { workshop.folder.appending(path: "speechkit/whisper/models") }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: models.path)) ?? []).sorted()
  }

  private func clear() {
    server.stop()
    workshop.clear()
  }

  private func rows(_ tool: Tool) async throws -> [[String: Any]] {
    let outcome = try await tool.run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
    return try #require(rows)
  }

  @Test func `what can be installed is listed, without a command too`() async throws {
    defer { clear() }
    let listed = try await tool("list").run()
    #expect(listed.status == 0)
    #expect(try await tool().run().text == listed.text)
    #expect(listed.lines.contains { $0.hasPrefix("whisper:tiny.en ") && $0.contains("English") })
    let rows = try await rows(tool("--json"))
    for row in rows {
      #expect(row["name"] as? String != nil)
      #expect((row["size"] as? Int ?? 0) > 1_000_000)
      #expect((row["address"] as? String)?.hasPrefix("https://") == true)
      #expect(row["isInstalled"] as? Bool == false || row["name"] as? String == "whisper")
      // A figure is never without its origin.
      #expect((row["wordErrors"] == nil) == (row["wordErrorsOrigin"] == nil))
    }
    let names = rows.compactMap { $0["name"] as? String }
    #expect(Set(names).count == names.count)
  }

  @Test func `a model is added from a mirror, listed and removed`() async throws {
    defer { clear() }
    let added = try await adding().run()
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.errors.contains("“whisper:tiny.en” is installed in “\(models.path)"))
    #expect(names == ["ggml-tiny.en.bin"])
    #expect(try Data(contentsOf: models.appending(path: "ggml-tiny.en.bin")) == content)
    let again = try await adding().run()
    #expect(again.errors.contains("already installed"), "\(again.errors)")
    #expect(server.requests.count == 1)

    let row = try await rows(tool("--json")).first { $0["name"] as? String == "whisper:tiny.en" }
    #expect(row?["isInstalled"] as? Bool == true)
    #expect((row?["path"] as? String)?.hasSuffix("models/ggml-tiny.en.bin") == true)

    #expect(try await tool("remove", "whisper:tiny.en").run().status == 0)
    #expect(names.isEmpty)
    let missing = try await tool("remove", "whisper:tiny.en").run()
    #expect(missing.status == 69)
    #expect(missing.errors.contains("does not have “whisper:tiny.en”"), "\(missing.errors)")
  }

  @Test func `a model that is not published is listed as well`() async throws {
    defer { clear() }
    try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
    try content.write(to: models.appending(path: "ggml-mine.bin"))
    let row = try await rows(tool("--json")).last
    #expect(row?["name"] as? String == "whisper:mine")
    #expect(row?["isInstalled"] as? Bool == true)
  }

  @Test func `another content than the published one is refused`() async throws {
    defer { clear() }
    let outcome = try await tool(
      "add", "whisper:tiny.en", "--from", server.url().absoluteString
    ).run()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("c78c86eb1a8faa21b369bcd33207cc90d64ae9df"))
    #expect(names.isEmpty)
  }

  @Test func `the mirror of the environment may be a folder`() async throws {
    defer { clear() }
    var tool = tool("add", "whisper:tiny.en")
    tool.environment["SPEECHKIT_MIRROR"] = workshop.folder.path
    let missing = try await tool.run()
    #expect(missing.status == 66)
    #expect(missing.errors.contains("ggml-tiny.en.bin” cannot be read"), "\(missing.errors)")
    try content.write(to: workshop.folder.appending(path: "ggml-tiny.en.bin"))
    let wrong = try await tool.run()
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("is not the published file"), "\(wrong.errors)")
    #expect(server.requests.isEmpty)
  }

  @Test func `one file is not installed under several names`() async throws {
    defer { clear() }
    try content.write(to: workshop.folder.appending(path: "mine.bin"))
    let file = workshop.path("mine.bin")
    let given = try await tool("add", "whisper", "whisper:tiny.en", "--from", file).run()
    var other = tool("add", "whisper", "whisper:tiny.en")
    other.environment["SPEECHKIT_MIRROR"] = file
    for outcome in [given, try await other.run()] {
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("one file, and 2 are to be installed"), "\(outcome.errors)")
    }
    #expect(names.isEmpty)
  }

  @Test func `offline, folders work and servers are not asked`() async throws {
    defer { clear() }
    var refused = adding()
    refused.environment["SPEECHKIT_OFFLINE"] = "1"
    let outcome = try await refused.run()
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("switched off"), "\(outcome.errors)")
    #expect(server.acceptedConnections == 0)

    try content.write(to: workshop.folder.appending(path: "mine.bin"))
    var local = tool(
      "add", "whisper:tiny.en", "--from", workshop.path("mine.bin"), "--sha256",
      Digest.sha256(content))
    local.environment["SPEECHKIT_OFFLINE"] = "1"
    #expect(try await local.run().status == 0)
    #expect(names == ["ggml-tiny.en.bin"])
  }

  @Test func `Ctrl-C keeps the beginning, and the same command resumes`() async throws {
    defer { clear() }
    let gate = ReplyGate()
    let whole = ScriptedReply.fixed(body: content)
    server.enqueue(whole.cut(after: 200_000), whole.delayed(until: gate), for: Self.path)
    let running = try adding().start()
    // The second request follows when all of the first reply has been written.
    try await gate.reached()
    running.send(SIGINT)
    let outcome = await running.outcome()
    gate.open()
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("are kept: run the same command again"), "\(outcome.errors)")
    #expect(names.count == 1 && names[0].hasSuffix(".download"), "\(names)")

    #expect(try await adding().run().status == 0)
    #expect(names == ["ggml-tiny.en.bin"])
    #expect(server.requests.last?.headers["Range"]?.hasPrefix("bytes=") == true)
  }

  @Test func `a full disk is reported, and the beginning is used afterwards`() async throws {
    defer { clear() }
    let outcome = try await adding().throughShell("ulimit -f 200 && exec \"$@\"").run()
    #expect(outcome.status == 73, "\(outcome.errors)")
    #expect(outcome.errors.contains("Free some space"), "\(outcome.errors)")
    #expect(!names.contains("ggml-tiny.en.bin"))
    #expect(try await adding().run().status == 0)
    #expect(names == ["ggml-tiny.en.bin"])
    #expect(server.requests.last?.headers["Range"]?.hasPrefix("bytes=") == true)
  }

  @Test func `a second installation of the same model is refused`() async throws {
    defer { clear() }
    let gate = ReplyGate()
    server.enqueue(ScriptedReply.fixed(body: content).delayed(until: gate), for: Self.path)
    let first = try adding().start()
    try await gate.reached()
    let second = try await adding().run()
    #expect(second.status == 69)
    #expect(second.errors.contains("Another program is installing"), "\(second.errors)")
    gate.open()
    #expect(await first.outcome().status == 0)
    #expect(names == ["ggml-tiny.en.bin"])
  }

  @Test(arguments: [
    (["add", "whisper:tiny.em"], "Did you mean “whisper:tiny.en”?"),
    (["add", "whisper:tiny.en", "--from", "ftp://example.com"], "http or https"),
    (["add", "whisper:tiny.en", "--sha256", "12"], "64 hexadecimal digits"),
    (["add", "whisper:tiny.en", "--sha256", String(repeating: "a", count: 64)], "--from"),
    (["remove", "nonsense"], "There is no “nonsense”"), (["test", "nonsense"], "nonsense"),
  ])
  func `mistakes are reported`(arguments: [String], message: String) async throws {
    defer { clear() }
    let outcome = try await Tool(["engines"] + arguments).run()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func `a recogniser that is not installed cannot be tested`() async throws {
    defer { clear() }
    let outcome = try await tool("test", "whisper:nonsense").run()
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("speechkit engines add"), "\(outcome.errors)")
  }
}

/// The real library and a real model, installed and tested as a user does it.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct InstalledEngineTests {
  @Test func `an installed library and model understand a voice`() async throws {
    let server = try LoopbackServer()
    let workshop = try Workshop()
    defer {
      server.stop()
      workshop.clear()
    }
    func run(_ arguments: String...) async throws -> Tool.Outcome {
      var tool = Tool(arguments)
      tool.environment = ["XDG_DATA_HOME": workshop.folder.path, "SPEECHKIT_WHISPER": ""]
      return try await tool.run()
    }
    let model = try Data(contentsOf: Peers.whisperModel, options: .alwaysMapped)
    // The transfer breaks in the middle.
    server.enqueue(.fixed(body: model).cut(after: model.count / 2))
    server.reply { .file(model, for: $0) }
    let wheel = try await wheel(in: workshop)

    let library = try await run(
      "engines", "add", "whisper", "--from", wheel, "--sha256",
      Digest.sha256(try Data(contentsOf: URL(filePath: wheel))))
    #expect(library.status == 0, "\(library.errors)")
    #expect(!library.errors.contains("cannot be loaded"), "\(library.errors)")
    let added = try await run(
      "engines", "add", "whisper:tiny.en-q8_0", "--from", server.url().absoluteString,
      "--sha256", Digest.sha256(model))
    #expect(added.status == 0, "\(added.errors)")
    #expect(server.requests.count == 2)

    let tested = try await run("engines", "test", "whisper:tiny.en-q8_0", "--json")
    #expect(tested.status == 0, "\(tested.errors)")
    let record = try #require(
      try JSONSerialization.jsonObject(with: tested.output) as? [String: Any])
    #expect(record["isRight"] as? Bool == true, "\(record)")
    #expect((record["time"] as? Double ?? 0) > 0)

    let checked = try await run("doctor", "--json")
    let findings = try checked.lines.map {
      try JSONDecoder().decode(DiagnosticFinding.self, from: Data($0.utf8))
    }
    let engines = try #require(findings.first { $0.part == "engines.whisper" })
    #expect(engines.detail.hasPrefix("whisper, whisper:tiny.en-q8_0;"), "\(engines.detail)")

    let removed = try await run("engines", "remove", "whisper", "whisper:tiny.en-q8_0")
    #expect(removed.status == 0, "\(removed.errors)")
    let missing = try await run("engines", "test", "whisper:tiny.en-q8_0")
    #expect(missing.status == 69)
  }

  /// A Python package with the libraries that the peers have.
  private func wheel(in workshop: Workshop) async throws -> String {
    let path = workshop.path("pywhispercpp.whl")
    let libraries = try Peers.whisperLibrary.appending(path: "pywhispercpp.libs").path
    let python = try #require(Peers.python)
    let program = """
      import os, sys, zipfile
      with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:
        for name in sorted(os.listdir(sys.argv[2])):
          wheel.write(os.path.join(sys.argv[2], name), 'pywhispercpp.libs/' + name)
      """
    let finished = try await FinishedProgram(running: python, ["-c", program, path, libraries])
    #expect(finished.status == 0, "\(finished.errorText)")
    return path
  }
}
#endif

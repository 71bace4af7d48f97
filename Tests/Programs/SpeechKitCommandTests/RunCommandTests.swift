#if Cloud
import AIServiceTesting
import Foundation
import SpeechActions
import SpeechConcurrency
import SpeechKit
import Testing

@testable import SpeechCommand
@testable import speechkit

struct RunCommandTests {
  private func events(_ outcome: Tool.Outcome) throws -> [[String: SendableValue]] {
    try outcome.lines.map {
      try JSONDecoder().decode([String: SendableValue].self, from: Data($0.utf8))
    }
  }

  @Test func `the answer goes to standard output, the summary to standard error`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work", "--price-in", "1", "--price-out", "2")
    home.server.enqueue(
      ActionWorkshop.answer(["\"Good ", "day\""]), for: ActionWorkshop.chatPath)
    let outcome = try await home.run(
      "run", "translate", "Guten Tag", "--to", "en", "--from", "German")
    #expect(outcome.status == 0, "\(outcome.errors)")
    // Cleaned up, as the action requires.
    #expect(outcome.text == "Good day\n")
    #expect(outcome.errors.contains("11 + 7 tokens"), "\(outcome.errors)")
    #expect(outcome.errors.contains("0.000025"))
    let words = try ActionWorkshop.words(of: try #require(home.server.requests.last))
    #expect(words.last?.hasPrefix("Translate the text below from German into English.") == true)
    #expect(words.last?.hasSuffix("Guten Tag") == true)
  }

  @Test func `a text comes from a pipe or a file, and the default action is run`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work")
    home.server.reply(to: ActionWorkshop.chatPath) { request in
      let asked = (try? ActionWorkshop.words(of: request).last) ?? ""
      return ActionWorkshop.answer([asked.contains("from a pipe") ? "piped" : "filed"])
    }
    let piped = try await home.run("run", saying: "from a pipe")
    #expect(piped.text == "piped\n", "\(piped.errors)")
    let file = try home.workshop.write("from a file", to: "text")
    let quiet = try await home.run("run", "summarise", "-f", file, "-q")
    #expect(quiet.text == "filed\n")
    #expect(quiet.errors.isEmpty)
  }

  @Test(arguments: [
    (["Guten Tag"], "", "Guten Tag"), (["Hallo"], "unread", "Hallo"),
    (["-"], "Guten Tag", "Guten Tag"),
    (["translate"], "Guten Tag", "Guten Tag"), (["translate", "-"], "Guten Tag", "Guten Tag"),
    (["translate", "Hallo"], "unread", "Hallo"),
  ])
  func `a single argument is an action, the text or standard input`(
    arguments: [String], input: String, text: String
  ) async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("here")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["Good day."]) }
    var tool = home.tool(["run"] + arguments)
    tool.input = Data(input.utf8)
    let run = try await tool.run()
    #expect(run.text == "Good day.\n", "\(run.errors)")
    let request = try #require(
      home.server.requests.first { $0.target == ActionWorkshop.chatPath })
    let prompt = try #require(try ActionWorkshop.words(of: request).last)
    #expect(prompt.hasSuffix(text) && !prompt.contains("unread"), "\(prompt)")
    #expect(prompt.contains("Translate"))
  }

  @Test func `a name that resembles an action is not sent as text`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("here")
    let run = try await home.run("run", "tarnslate", saying: "Guten Tag")
    #expect(run.status == 69 && run.errors.contains("Did you mean “translate”?"), "\(run.errors)")
    #expect(!home.server.requests.contains { $0.target == ActionWorkshop.chatPath })
  }

  @Test func `several connectors answer beside each other`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("small", "--model", "small")
    try await home.addConnector("large", "--model", "large")
    home.server.reply(to: ActionWorkshop.chatPath) { request in
      request.text.contains("\"large\"")
        ? .json(#"{"error":{"message":"no"}}"#, status: 401) : ActionWorkshop.answer(["Yes."])
    }
    let outcome = try await home.run(
      "run", "explain", "x", "-c", "small", "-c", "large", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let events = try events(outcome)
    #expect(events.count { $0["event"] == "started" } == 2)
    #expect(events.contains { $0["event"] == "text" && $0["connector"] == "small" })
    #expect(events.contains { $0["event"] == "failed" && $0["connector"] == "large" })
    #expect(events.last?["event"] == "completed")
    #expect(events.last?["answers"] == ["small"])
    let plain = try await home.run("run", "explain", "x", "-c", "small", "-c", "large")
    #expect(plain.text == "Yes.\n")
    #expect(plain.errors.contains("large  "))
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["Same."]) }
    let both = try await home.run("run", "explain", "x", "-c", "small", "-c", "large")
    #expect(both.text == "── small\nSame.\n\n── large\nSame.\n\n")
  }

  @Test func `the beginning of an answer that was cut off is written`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("here")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in
      .events([ActionWorkshop.chunk(["content": "Good"]), .close])
    }
    let run = try await home.run("run", "translate", "Guten Tag")
    #expect(run.status == 69)
    #expect(run.text == "Good\n")
    #expect(run.errors.contains("The answer of here was cut off."), "\(run.errors)")
    let json = try await home.run("run", "translate", "Guten Tag", "--json")
    #expect(json.status == 69 && json.lines.contains { $0.contains("\"text\":\"Good\"") })
  }

  @Test func `data is written as data`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work")
    let corrections =
      #"{"corrected":"I am here.","items":[{"original":"is","replacement":"am","reason":"person"}]}"#
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer([corrections]) }
    let text = try await home.run("run", "correct", "I is here.")
    #expect(text.text.hasPrefix("I am here.\n"), "\(text.errors)")
    #expect(text.text.contains("“is” → “am”: person"))
    let json = try await home.run("run", "correct", "I is here.", "--json")
    let finished = try #require(try events(json).first { $0["event"] == "finished" })
    #expect(finished["structured"]?.dictionaryValue?["corrected"] == "I am here.")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["No idea."]) }
    #expect(try await home.run("run", "correct", "I is here.").status == 65)
  }

  @Test(arguments: [
    (["run", "translat", "x"], 69, "Did you mean “translate”?"),
    (["run", "translate", "x", "-c", "nobody"], 69, "no connector “nobody”"),
    (["run", "translate", "x"], 69, "no active connector"),
    (["run", "translate", " "], 65, "empty"),
    (["run", "translate", "-f", "/nonexistent"], 66, "no file"),
    (["run", "translate", "x", "--selection"], 64, "Give one of"),
    (["run", "translate", "--selection"], 69, "There is no desktop"),
    (["run", "translate", "x", "--copy", "--replace"], 64, "not both"),
    (["run", "translate", "x", "--variable", "y"], 64, "NAME=VALUE"),
    (["run", "translate", "x", "--speech", "b.doc"], 64, "wav, flac, ogg, opus or mp3"),
  ])
  func `an action that cannot run is reported`(
    arguments: [String], status: Int32, message: String
  ) async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let outcome = try await home.tool(arguments).run()
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `a file with an error is refused with its line`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try FileManager.default.createDirectory(
      atPath: home.workshop.path("config/speechkit"), withIntermediateDirectories: true)
    try "version = 1\n[connector.x]\nkindd = \"openai\"\n"
      .write(toFile: home.file, atomically: true, encoding: .utf8)
    let outcome = try await home.run("run", "translate", "x")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("3:1: connector.x.kindd"), "\(outcome.errors)")
  }

  @Test func `text that must not leave this machine does not`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    _ = try await home.run(
      "connectors", "add", "far", "--base-url", "https://far.example.org/v1")
    _ = try await home.run("actions", "edit", "tone", "--privacy", "this-machine")
    let outcome = try await home.run("run", "tone", "secret")
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("never lets its text leave this machine"))
  }

  @Test func `Ctrl-C cancels all requests`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("one")
    try await home.addConnector("two")
    _ = try await home.run("actions", "edit", "explain", "--mode", "sequential")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in
      ActionWorkshop.answer(["Once upon "], before: [.stall])
    }
    let running = try home.tool(["run", "explain", "x", "--json"]).start()
    running.close(writing: Data())
    while await !running.readLine().contains("Once upon") {}
    running.send(SIGINT)
    let outcome = await running.outcome()
    #expect(outcome.status == 130)
    try await home.server.wait { $0.openConnections == 0 }
    #expect(home.server.requests.count { $0.path == ActionWorkshop.chatPath } == 1)
  }

  @Test func `an answer is spoken into a file`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["Good day."]) }
    let path = home.workshop.path("answer.wav")
    let outcome = try await home.run("run", "translate", "x", "--speech", path, "-v", "flite:slt")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try AudioFile.read(URL(filePath: path)).duration > .milliseconds(400))
  }

  @Test func `without a loudspeaker the answer is still written`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in
      ActionWorkshop.answer(["One. ", "Two. ", "Three."])
    }
    let outcome = try await home.run("run", "translate", "x", "--speak", "-v", "flite:slt")
    #expect(outcome.status == 69, "\(outcome.errors)")
    #expect(outcome.text == "One. Two. Three.\n")
    // A missing voice is reported before a request is sent.
    let count = home.server.requests.count
    #expect(try await home.run("run", "translate", "x", "--speak", "-v", "nobody").status == 69)
    #expect(home.server.requests.count == count)
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["SPEECHKIT_TEST_SINK"] != nil,
      "needs a sound device of its own: Scripts/with-null-sink"))
  func `the first sentence is heard before the answer is complete, and Ctrl-C ends both`()
    async throws
  {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work")
    let gate = ReplyGate()
    home.server.reply(to: ActionWorkshop.chatPath) { _ in
      ActionWorkshop.answer(
        ["This is the first sentence of an answer that goes on. ", "And "], before: [.wait(gate)])
    }
    let surroundings = ProcessInfo.processInfo.environment.filter {
      $0.key.hasPrefix("PULSE_") || $0.key == "XDG_RUNTIME_DIR"
    }
    let monitor = try SinkMonitor()
    defer { monitor.stop() }
    let running = try home.tool(
      ["run", "explain", "x", "--speak", "-v", "flite:slt"], surroundings
    ).start()
    running.close(writing: Data())
    await monitor.sound()
    // Playback has begun, and more text is to come.
    running.send(SIGINT)
    let outcome = await running.outcome()
    #expect(outcome.status == 130, "\(outcome.errors)")
    try await home.server.wait { $0.openConnections == 0 }
    await monitor.silence()
    gate.open()
  }

  @Test func `a terminal shows the answers side by side while they arrive`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("small")
    try await home.addConnector("large")
    let gate = ReplyGate()
    home.server.reply(to: ActionWorkshop.chatPath) { _ in
      ActionWorkshop.answer(["Half an answer"], before: [.wait(gate)])
    }
    let terminal = try PseudoTerminal()
    let process = Process()
    let tool = home.tool([], ["TERM": "xterm"])
    process.executableURL = Tool.executable
    process.arguments = ["run", "explain", "x", "-c", "small", "-c", "large"]
    process.environment = ProcessInfo.processInfo.environment.merging(tool.environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = terminal.other
    let (ending, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    try await gate.reached(times: 2)
    gate.open()
    for await _ in ending {}
    let shown = terminal.shown()
    #expect(shown.contains("small · "))
    #expect(shown.contains(" │ "))
    #expect(shown.contains("Half an answer"))
    #expect(process.terminationStatus == 0)
  }
}

/// The audio that is played on the null sink of the tests.
private final class SinkMonitor: Sendable {
  private let process: Guarded<Process>
  private let output = Pipe()

  init() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "parec", "-d", "nul.monitor", "--raw", "--format=s16le", "--rate=16000", "--channels=1",
      "--latency-msec=20",
    ]
    process.standardOutput = output
    try process.run()
    self.process = Guarded(process)
  }

  /// Returns when audio is played.
  func sound() async { await tenths { !$0.allSatisfy { $0 == 0 } } }

  /// Returns after half a second of silence.
  func silence() async {
    let quiet = Guarded(0)
    await tenths { bytes in
      quiet.withLock { count in
        count = bytes.allSatisfy { $0 == 0 } ? count + 1 : 0
        return count == 5
      }
    }
  }

  func stop() {
    process.withLock { process in
      // The thread of a task blocks signals, and its children inherit that: SIGTERM has no effect.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  private func tenths(_ isEnough: @escaping @Sendable (Data) -> Bool) async {
    let handle = output.fileHandleForReading
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while let bytes = try? handle.read(upToCount: 3_200), !bytes.isEmpty, !isEnough(bytes) {}
        continuation.resume()
      }
    }
  }
}

struct RunProgressTests {
  private func answer(_ connector: String) -> RunEvent { .started(connector: connector) }

  @Test func `columns are as wide as the terminal, and show the end`() {
    var progress = RunProgress()
    for name in ["one", "two"] { progress.take(.started(connector: name)) }
    progress.take(.text(connector: "one", (1...30).map { "word\($0)" }.joined(separator: " ")))
    progress.take(.text(connector: "two", "第一行 zwei \u{1B}[31mrot"))
    let lines = progress.lines(columns: 60, rows: 4).map(\.text)
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.contains(" │ ") && TextColumns.width(of: $0) <= 60 })
    #expect(lines.last?.contains("word30") == true)
    #expect(!lines.joined().contains("\u{1B}"))
    #expect(progress.lines(columns: 30, rows: 4).count == 2)
  }

  @Test func `a retried connector starts again`() {
    var progress = RunProgress()
    progress.take(.started(connector: "one"))
    progress.take(.text(connector: "one", "first"))
    progress.take(.started(connector: "one"))
    progress.take(.text(connector: "one", "second"))
    #expect(progress.parts.map(\.text) == ["second"])
  }
}
#endif

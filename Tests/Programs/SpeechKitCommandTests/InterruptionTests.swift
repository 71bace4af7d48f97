import Foundation
import SpeechKit
import Testing

/// Ctrl-C, SIGTERM, full disks and closed pipes.
@Suite(.serialized)
struct InterruptionTests {
  /// Far less than the interrupted work would take, and enough for a machine that runs other tests
  /// at the same time.
  private static let limit = Duration.seconds(60)

  private func stop(
    _ running: RunningTool, with signal: Int32, status: Int32, saying note: String? = nil
  ) async -> Tool.Outcome {
    let sent = ContinuousClock.now
    running.send(signal)
    let outcome = await running.outcome()
    #expect(sent.duration(to: .now) < Self.limit)
    #expect(outcome.signal == nil)
    #expect(outcome.status == status)
    if let note {
      #expect(outcome.errors.contains(note), "\(outcome.errors)")
    } else {
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }
    return outcome
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `interrupted transcription prints the text so far`(signal: Int32, status: Int32) async throws
  {
    let grammar = try await Sounds.shared.grammar()
    let file = try await Sounds.shared.manyCommands()
    // Standard input is never closed, so the tool cannot come to its end.
    let running = try Tool("transcribe", "--grammar", grammar, file, "-").start()
    #expect(await running.readLine() == "==> \(file) <==")
    let outcome = await stop(running, with: signal, status: status, saying: "Interrupted")
    #expect(outcome.lines.allSatisfy { $0.contains("go forward") || $0.hasPrefix("==>") })
  }

  /// A tool that has recognised at least one command of its standard input, which has not ended.
  private func startTranscribing(_ arguments: String...) async throws -> RunningTool {
    let grammar = try await Sounds.shared.grammar()
    let workshop = try Workshop()
    defer { workshop.clear() }
    let path = try await separateCommands(20, in: workshop)
    let sound = try Data(contentsOf: URL(filePath: path))
    let running = try Tool(["transcribe", "--grammar", grammar, "-"] + arguments).start()
    // All but the last seconds have been read when this returns, because the tool reads no further
    // than it has decoded. It cannot end, because the last sample is held back.
    await running.write(sound.dropLast(2))
    return running
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `interrupted JSON has the text so far and is marked incomplete`(
    signal: Int32, status: Int32
  ) async throws {
    struct Line: Decodable {
      var complete: Bool
      var duration: Double
      var text: String
      var segments: [TranscriptSegment]
    }
    let outcome = await stop(
      try await startTranscribing("--json"), with: signal, status: status,
      saying: "“standard input” is written up to")
    let text = try #require(outcome.lines.first)
    #expect(outcome.lines.count == 1)
    let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
    #expect(!line.complete)
    #expect(line.segments.first?.text == Sounds.command)
    #expect(line.text == line.segments.map(\.text).joined(separator: " "))
    #expect(line.duration == line.segments.last?.end)
  }

  @Test(arguments: ["srt", "vtt", "txt", "json"])
  func `an interrupted transcript has whole cues, on standard output and in a file`(
    format: String
  ) async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let path = workshop.path("out.\(format)")
    let printed = await stop(
      try await startTranscribing("--format", format), with: SIGINT, status: 130,
      saying: "Interrupted")
    let saved = await stop(
      try await startTranscribing("-o", path), with: SIGINT, status: 130, saying: "Interrupted")
    #expect(saved.output.isEmpty)
    for text in [printed.text, try workshop.text(of: "out.\(format)")] {
      #expect(text.contains(Sounds.command))
      #expect(text.hasSuffix("\n"))
      switch format {
      case "srt": #expect(text.hasPrefix("1\n00:00:0"))
      case "vtt": #expect(text.hasPrefix("WEBVTT\n") && text.contains("\n\nNOTE Incomplete"))
      default: break
      }
    }
    #expect(workshop.names == ["out.\(format)"])
  }

  @Test func `a finished transcript is complete`() async throws {
    let grammar = try await Sounds.shared.grammar()
    let outcome = try await Tool(
      "transcribe", "--grammar", grammar, "--json", Sounds.shared.command()
    ).run()
    #expect(outcome.text.contains(#""complete":true"#))
    #expect(outcome.errors.isEmpty)
  }

  /// A file with that many commands, separated by pauses.
  private func separateCommands(_ count: Int, in workshop: Workshop) async throws -> String {
    let path = workshop.path("long.wav")
    try AudioFile.write(await Sounds.shared.separateCommands(count), to: URL(filePath: path))
    return path
  }

  @Test func `interrupted listening prints the text so far`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let path = try await separateCommands(200, in: workshop)
    // Without a threshold, which would report half a command as rejected.
    let running = try await Tool(
      "listen", "--grammar", Sounds.shared.grammar(), "--accept", "off", "--file", path
    ).start()
    #expect(await running.readLine() == Sounds.command)
    let outcome = await stop(running, with: SIGINT, status: 130)
    #expect(outcome.lines.allSatisfy { Sounds.command.hasPrefix($0) })
    #expect(outcome.lines.count < 199)
  }

  @Test(arguments: ["wav", "flac", "mp3"])
  func `interrupted speaking keeps the file so far`(format: String) async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let text = try workshop.write(
      String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 20_000),
      to: "long.txt")
    let path = workshop.path("long.\(format)")
    let running = try Tool("say", "--file", text, "-o", path).start()
    // The unfinished file shows that it is working.
    while running.isRunning, !workshop.names.contains(where: { $0.hasSuffix(".part") }) {
      await Task.yield()
    }
    _ = await stop(
      running, with: SIGINT, status: 130, saying: "Interrupted: “\(path)” has the first")
    #expect(Set(workshop.names) == ["long.\(format)", "long.txt"])
    #expect(try AudioFile.read(URL(filePath: path)).level > -40)
  }

  @Test func `an interrupted demo keeps the audio so far`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let path = workshop.path("talk.wav")
    let running = try Tool("demo", "-o", path, "--grammar", DemoGrammar.path).start()
    #expect(await running.readLine().hasPrefix("bar "))
    _ = await stop(
      running, with: SIGINT, status: 130, saying: "Interrupted: “\(path)” has the first")
    #expect(workshop.names == ["talk.wav"])
    #expect(try AudioFile.read(URL(filePath: path)).level > -40)
  }

  @Test func `speaking to a pipe that is not read can be interrupted`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let text = try workshop.write(String(repeating: "Hello again. ", count: 20_000), to: "long.txt")
    let running = try Tool("say", "--file", text, "-o", "-").start()
    #expect(await running.read(4) == Data("RIFF".utf8))
    _ = await stop(running, with: SIGINT, status: 130)
  }

  @Test func `waiting for text can be interrupted`() async throws {
    let running = try await Tool("transcribe", "--grammar", Sounds.shared.grammar(), "-").start()
    // A waiting tool writes nothing, so the signal may come at any time.
    running.send(SIGTERM)
    let outcome = await running.outcome()
    #expect(outcome.status == 143 || outcome.signal == SIGTERM)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SPEECHKIT_TEST_SINK"] != nil))
  func `playback stops when speaking is interrupted`() async throws {
    var tool = Tool("demo", "--live", "--grammar", DemoGrammar.path)
    tool.environment = ["PULSE_SERVER", "XDG_RUNTIME_DIR"].reduce(into: [String: String]()) {
      $0[$1] = ProcessInfo.processInfo.environment[$1]
    }
    let running = try tool.start()
    #expect(await running.readLine().hasPrefix("bar "))
    _ = await stop(running, with: SIGINT, status: 130)
  }

  @Test(arguments: [
    ["version"], ["voices"], ["voices", "--json"], ["--help"], ["completion", "bash"],
    ["doctor"], ["say", "hello", "-o", "-"],
  ])
  func `a full disk for standard output ends with 74`(arguments: [String]) async throws {
    var tool = Tool(arguments)
    tool.output = .file("/dev/full")
    let outcome = try await tool.run()
    #expect(outcome.status == 74)
    #expect(
      outcome.errors.contains("Standard output could not be written: No space left on device."))
  }

  @Test(arguments: [
    ["version"], ["voices", "--json"], ["completion", "fish"], ["say", "hello", "-o", "-"],
  ])
  func `a closed pipe as standard output ends quietly`(arguments: [String]) async throws {
    var tool = Tool(arguments)
    tool.output = .closed
    let outcome = try await tool.run()
    #expect(outcome.status == 74)
    #expect(outcome.signal == nil)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test func `transcribing into a closed pipe or a full disk fails`() async throws {
    let grammar = try await Sounds.shared.grammar()
    let file = try await Sounds.shared.command()
    for output in [Tool.Stream.closed, .file("/dev/full")] {
      for format in ["txt", "json"] {
        var tool = Tool("transcribe", "--grammar", grammar, "--format", format, file)
        tool.output = output
        #expect(try await tool.run().status == 74)
      }
      var tool = Tool("listen", "--grammar", grammar, "--file", file)
      tool.output = output
      #expect(try await tool.run().status == 74)
    }
  }
}

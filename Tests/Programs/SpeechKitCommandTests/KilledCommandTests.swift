import ConformanceTesting
import Foundation
import SpeechKit
import SpeechLanguageModels
import TestSupport
import Testing

/// What commands leave when they are stopped or killed while they write.
@Suite(.serialized)
struct KilledCommandTests {
  /// A folder with commands for a loop, and its grammar.
  private func talk(commands: Int = 6, apart pause: Duration = .seconds(4)) async throws -> Workshop
  {
    let workshop = try Workshop()
    let words = try await FliteEngine().render(
      FliteEngine().makeRequest(text: "Turn on the light.", voiceId: "slt"),
      configuration: .default)
    var piece = try words.resampled(to: .recognition)
    piece.append(.silence(pause, format: .recognition))
    var sound = PCMBuffer(format: .recognition)
    for _ in 0..<commands { sound.append(piece) }
    try AudioFile.write(sound, to: workshop.folder.appending(path: "talk.wav"))
    _ = try workshop.write(
      "#JSGF V1.0; grammar talk; public <said> = turn on the light | hello;", to: "talk.gram")
    return workshop
  }

  private func loop(_ workshop: Workshop, _ more: String...) -> Tool {
    var tool = Tool(
      ["loop", "-i", "talk.wav", "-g", "talk.gram", "-v", "flite:rms", "--json"] + more)
    tool.folder = workshop.folder
    return tool
  }

  private func bundle(_ workshop: Workshop, _ name: String) throws -> ConversationBundle {
    try ConversationBundle(contentsOf: workshop.folder.appending(path: name))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a stopped conversation keeps its recording, its audio and its timings`(
    signal: Int32, status: Int32
  ) async throws {
    let workshop = try await talk(commands: 400)
    defer { workshop.clear() }
    let running = try loop(
      workshop, "--record", "kept", "-o", "both.mp3", "--metrics", "prometheus:m.prom"
    ).start()
    while running.isRunning, await !running.readLine().contains("\"timings\"") {}
    running.send(signal)
    let outcome = await running.outcome()
    #expect(outcome.status == status)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let kept = try bundle(workshop, "kept")
    #expect(kept.events.contains { $0.kind == .userFinal("turn on the light") })
    #expect(kept.replies.first?.text == "turn on the light")
    #expect(kept.heard.duration > .seconds(1))
    #expect(kept.played.duration > .seconds(1))
    #expect(try AudioFile.read(URL(filePath: workshop.path("both.mp3"))).level > -60)
    #expect(try workshop.text(of: "m.prom").contains("speechkit_turn_stage_seconds_count"))
    #expect(workshop.names == ["both.mp3", "kept", "m.prom", "talk.gram", "talk.wav"])
    #expect(FileManager.default.fileExists(atPath: workshop.path("kept/manifest.json")))
  }

  @Test func `a conversation with a long file takes no more memory than with a short one`()
    async throws
  {
    let workshop = try await talk(commands: 3, apart: .seconds(300))
    defer { workshop.clear() }
    let running = try loop(workshop).start()
    var peaks: [Int] = []
    while peaks.count < 2, running.isRunning {
      while running.isRunning, await !running.readLine().contains("\"replyFinished\"") {}
      peaks.append(running.peakKibibytes)
    }
    running.send(SIGKILL)
    _ = await running.outcome()
    // Five minutes of both sides are 19 MB.
    #expect(peaks.count == 2)
    #expect(Sanitizer.isOn || peaks[1] - peaks[0] < 8_000, "\(peaks)")
  }

  @Test func `a killed conversation leaves everything up to the last second`() async throws {
    let workshop = try await talk()
    defer { workshop.clear() }
    let whole = try await loop(workshop, "--record", "whole").run()
    #expect(whole.status == 0, "\(whole.errors)")
    let reference = try bundle(workshop, "whole")
    var random = SplitMix(seed: 22)
    for round in 0..<Endurance.count(full: 100, short: 5) {
      let running = try loop(workshop, "--record", "kept\(round)", "-o", "both.wav").start()
      let count = random.next(whole.lines.count - 1)
      for _ in 0..<count { _ = await running.readLine() }
      for _ in 0..<random.next(2_000) { await Task.yield() }
      running.send(SIGKILL)
      // It may have ended by itself in the meantime.
      guard await running.outcome().signal == SIGKILL else { continue }
      guard FileManager.default.fileExists(atPath: workshop.path("kept\(round)/played.wav")) else {
        continue
      }
      let kept = try bundle(workshop, "kept\(round)")
      let lines = kept.events.map(\.line)
      #expect(lines.count >= count)
      #expect(lines == Array(whole.lines.prefix(lines.count)))
      let isPrefix = reference.heard.samples.starts(with: kept.heard.samples)
      #expect(isPrefix)
      let last = try #require(kept.events.last).time
      #expect(kept.heard.duration + .milliseconds(100) >= last)
      // The loudspeaker's audio up to a second before the end. After it, nothing is stored.
      let format = reference.played.format
      let until = min(
        format.frames(in: max(.zero, last - .seconds(1))), reference.played.frameCount)
      var played = kept.played.samples
      played += [Int16](repeating: 0, count: max(0, until - played.count))
      let isWhole = played.prefix(until) == reference.played.samples.prefix(until)
      #expect(isWhole, "round \(round), \(last)")
    }
    // At most one temporary file is left, however often the program was killed.
    #expect(workshop.names.count { $0.hasSuffix(".part") } <= 1)
    let last = try await loop(workshop, "-o", "both.wav").run()
    #expect(last.status == 0)
    #expect(!workshop.names.contains { $0.hasSuffix(".part") })
  }

  @Test func `a killed conversation leaves the timings of its turns`() async throws {
    let workshop = try await talk(commands: 400)
    defer { workshop.clear() }
    let running = try loop(workshop, "--metrics", "prometheus:m.prom").start()
    // The timings of a turn are written before the next events.
    for _ in 1...2 {
      while running.isRunning, await !running.readLine().contains("\"timings\"") {}
    }
    running.send(SIGKILL)
    #expect(await running.outcome().signal == SIGKILL)
    let text = try workshop.text(of: "m.prom")
    let count = try #require(
      text.firstMatch(of: /speechkit_turn_stage_seconds_count{stage="total"} (\d+)/))
    #expect(try #require(Int(count.1)) >= 1)
  }

  @Test func `a killed recording is replayed as far as it goes, and a mixed one refused`()
    async throws
  {
    let workshop = try await talk()
    defer { workshop.clear() }
    // On a busy machine the conversation may end before it is killed.
    var ending: Int32?
    while ending != SIGKILL {
      try? FileManager.default.removeItem(atPath: workshop.path("kept"))
      let running = try loop(workshop, "--record", "kept").start()
      while await !running.readLine().contains("\"replyFinished\"") {}
      running.send(SIGKILL)
      ending = await running.outcome().signal
    }
    func replay(_ folder: String) async throws -> Tool.Outcome {
      var tool = Tool("replay", folder)
      tool.folder = workshop.folder
      return try await tool.run()
    }
    let same = try await replay("kept")
    #expect(same.status == 0, "\(same.text)\(same.errors)")
    #expect(same.errors.contains("The recording stops before its conversation ended"))

    #expect(try await loop(workshop, "--record", "whole").run().status == 0)
    let again = try await loop(workshop, "--record", "whole").run()
    #expect(again.status == 73)
    #expect(again.errors.contains("/whole” contains files"), "\(again.errors)")
    #expect(try await replay("whole").status == 0)
    let place = workshop.folder.appending(path: "whole/heard.wav")
    try FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(
      at: workshop.folder.appending(path: "kept/heard.wav"), to: place)
    let mixed = try await replay("whole")
    #expect(mixed.status == 65)
    #expect(mixed.errors.contains("/whole” is not the one that was recorded"), "\(mixed.errors)")
  }

  @Test func `a killed build leaves the old model or the new one`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let texts = ["turn on the kitchen light", "play some music in the garden"]
    for (index, text) in texts.enumerated() { _ = try workshop.write(text, to: "\(index).txt") }
    func build(_ text: Int, in folder: String) -> Tool {
      var tool = Tool("model", "build", "\(text).txt", "-o", folder)
      tool.folder = workshop.folder
      tool.environment = ["XDG_DATA_HOME": workshop.folder.path]
      return tool
    }
    let files = ["model.lm", "model.lm.bin", "model.dict"]
    func contents(_ folder: String) throws -> [Data] {
      try files.map { try Data(contentsOf: URL(filePath: workshop.path("\(folder)/\($0)"))) }
    }
    for index in texts.indices {
      #expect(try await build(index, in: "model\(index)").run().status == 0)
    }
    let models = try [contents("model0"), contents("model1")]
    #expect(try await build(0, in: "home").run().status == 0)
    _ = try workshop.write("mine", to: "home/notes.txt")
    var random = SplitMix(seed: 22)
    for round in 0..<Endurance.count(full: 200, short: 12) {
      let running = try build((round + 1) % 2, in: "home").start()
      let began = ["/.set-draft", "/.set-next"].map { workshop.path("home" + $0) }
      let before = try Data(contentsOf: URL(filePath: workshop.path("home/manifest.json")))
      while running.isRunning, !began.contains(where: FileManager.default.fileExists),
        (try? Data(contentsOf: URL(filePath: workshop.path("home/manifest.json")))) == before
      {}
      for _ in 0..<random.next(4_000) { await Task.yield() }
      running.send(SIGKILL)
      _ = await running.outcome()
      _ = try LanguageModelFolder(URL(filePath: workshop.path("home")))
      #expect(models.contains(try contents("home")))
    }
    #expect(try await build(1, in: "home").run().status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workshop.path("home")).sorted()
        == ["manifest.json", "model.dict", "model.lm", "model.lm.bin", "notes.txt"])

    let place = workshop.folder.appending(path: "home/model.dict")
    try models[0][2].write(to: place)
    let mixed = try await Tool("transcribe", "-m", workshop.path("home"), "x.wav").run()
    #expect(mixed.errors.contains("“model.dict” does not belong"), "\(mixed.errors)")
    #expect(mixed.status == 65)
  }
}

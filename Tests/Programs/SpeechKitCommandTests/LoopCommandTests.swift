import Foundation
import SpeechKit
import SpeechTesting
import TestSupport
import Testing

@testable import speechkit

struct LoopCommandTests {
  private static let grammar = """
    #JSGF V1.0; grammar talk;
    public <said> = hello | tell me a story | turn on the kitchen light;
    """
  private static let script = """
    # What is answered.
    Hello to you.
    Once upon a time there was a king who had three daughters and one old horse.
    As you like it.
    """

  /// A folder with a recording of three turns, the last of which interrupts a reply.
  private func talk() async throws -> Workshop {
    let workshop = try Workshop()
    let user = FliteEngine()
    var sound = PCMBuffer.silence(.seconds(1), format: .recognition)
    for (text, pause) in [
      ("Hello.", 4_000), ("Tell me a story.", 2_600), ("Turn on the kitchen light.", 3_000),
    ] {
      let words = try await user.render(
        user.makeRequest(text: text, voiceId: "slt"), configuration: .default)
      sound.append(try words.resampled(to: .recognition))
      sound.append(.silence(.milliseconds(pause), format: .recognition))
    }
    try AudioFile.write(sound, to: workshop.folder.appending(path: "talk.wav"))
    _ = try workshop.write(Self.grammar, to: "talk.gram")
    _ = try workshop.write(Self.script, to: "script.txt")
    return workshop
  }

  private func tool(_ workshop: Workshop, _ arguments: String...) -> Tool {
    var tool = Tool(arguments)
    tool.folder = workshop.folder
    return tool
  }

  private let usual = ["-i", "talk.wav", "-g", "talk.gram", "-v", "flite:rms"]

  private func loop(_ workshop: Workshop, _ more: String...) async throws -> Tool.Outcome {
    var tool = Tool(["loop"] + usual + ["-r", "script:script.txt"] + more)
    tool.folder = workshop.folder
    return try await tool.run()
  }

  @Test func `a conversation with a file is identical in every run`() async throws {
    let workshop = try await talk()
    defer { workshop.clear() }
    let first = try await loop(workshop, "--json", "--record", "bundle", "-o", "both.wav")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.isEmpty, "\(first.errors)")
    let second = try await loop(workshop, "--json", "--record", "bundle2")
    #expect(first.output == second.output)
    for file in ["events.jsonl", "replies.jsonl", "heard.wav", "played.wav"] {
      let (one, two) = (workshop.path("bundle/\(file)"), workshop.path("bundle2/\(file)"))
      #expect(FileManager.default.contentsEqual(atPath: one, andPath: two), "\(file)")
    }
    #expect(try workshop.text(of: "bundle/events.jsonl") == first.text)

    let events = try first.lines.map {
      try JSONDecoder().decode(VoiceLoopEvent.self, from: Data($0.utf8))
    }
    let said = events.compactMap { event in
      if case .userFinal(let text) = event.kind { text } else { nil }
    }
    #expect(said == ["hello", "tell me a story", "turn on the kitchen light"])
    #expect(events.contains { $0.kind == .replyFinished("As you like it.") })
    #expect(
      events.contains { event in
        guard case .interrupted(let heard, let unheard) = event.kind else { return false }
        return heard.hasPrefix("Once upon") && unheard.hasSuffix("horse.")
      })
    #expect(events.last?.kind == .ended)
    let both = try AudioFile.read(URL(filePath: workshop.path("both.wav")))
    #expect(both.format == .recognition)
    #expect(both.duration >= (try #require(events.last)).time - .milliseconds(100))
  }

  #if Cloud
  @Test(
    .enabled(if: Peers.areExpected, "\(Peers.areMissing)"),
    arguments: ["phoenix_server.py", "socketio_server.py"])
  func `a service over a socket replies on a file, with the same outcome each time`(
    server: String
  ) async throws {
    let workshop = try await talk()
    defer { workshop.clear() }
    try await Peer.with(server) { peer in
      let address = "socket:ws://127.0.0.1:\(peer.port)/socket"
      var outputs: [String] = []
      for _ in 0..<3 {
        let outcome = try await tool(
          workshop, "loop", "-i", "talk.wav", "-g", "talk.gram", "-v", "flite:rms", "-r", address,
          "--json"
        ).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        outputs.append(outcome.text)
      }
      #expect(outputs[0].contains("hello"))
      #expect(Set(outputs).count == 1)
    }
  }

  @Test(arguments: [
    (["-r", "moon"], "--responder takes echo, local"), (["-r", "socket:moon"], "an address like"),
  ])
  func `a service that is not one is refused`(arguments: [String], message: String) async throws {
    let outcome = try await Tool(["loop"] + arguments).run()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
  #endif

  @Test func `the words are printed, with a table of timings and the metrics`() async throws {
    let workshop = try await talk()
    defer { workshop.clear() }
    let outcome = try await loop(
      workshop, "--greeting", "Welcome.", "--metrics", "prometheus:m.prom", "--trace")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.lines.prefix(4) == [
        "reply    Welcome.", "user     hello", "reply    Hello to you.", "user     tell me a story",
      ])
    #expect(outcome.text.contains("✂ (not heard: "))
    #expect(outcome.lines.last?.hasPrefix("95 % ") == true)
    #expect(outcome.errors.contains("“hello” was said → "))
    let metrics = try workshop.text(of: "m.prom")
    #expect(metrics.contains("speechkit_turn_stage_seconds_count{stage=\"total\"} 3"))
    let other = try await loop(workshop, "--metrics", "otel:m.json")
    #expect(other.status == 0)
    #expect(try workshop.text(of: "m.json").contains("\"bucketCounts\""))
  }

  @Test func `with a wake word only addressed speech is used`() async throws {
    let workshop = try await talk()
    defer { workshop.clear() }
    let asleep = try await loop(workshop, "--wake", "computer")
    #expect(asleep.lines.first == "asleep")
    #expect(
      !asleep.lines.contains { $0.hasPrefix("user") || $0.hasPrefix("reply") }, "\(asleep.text)")
    let woken = try await loop(workshop, "--wake", "hello //0.3/", "--window", "30")
    // The end of the word may be heard again, and accepted as nothing.
    #expect(
      woken.lines.filter { !$0.hasPrefix("ignored ") }.prefix(3) == [
        "asleep", "awake    hello", "user     tell me a story",
      ],
      "\(woken.text)")
    let broken = try await loop(workshop, "--wake", "hello /x/")
    #expect(broken.status == 64 && broken.errors.contains("--wake"))
  }

  @Test func `rejected speech is reported on standard error, and accepted on request`() async throws
  {
    let workshop = try await talk()
    defer { workshop.clear() }
    _ = try workshop.write(
      "#JSGF V1.0; grammar talk; public <said> = hello | tell me a story;", to: "talk.gram")
    let outcome = try await loop(workshop)
    #expect(outcome.errors.contains("speechkit: Rejected what was said: nearest is “"))
    #expect(outcome.errors.contains("--accept off accepts it."), "\(outcome.errors)")
    let all = try await loop(workshop, "--accept", "off")
    #expect(!all.errors.contains("Rejected"), "\(all.errors)")
    let users = { (outcome: Tool.Outcome) in outcome.lines.count { $0.hasPrefix("user ") } }
    #expect(users(all) == users(outcome) + 1, "\(all.text)")
  }

  /// A recording with a wake word directly before a command, alone, and missing.
  private func wakefulTalk(_ voice: String) async throws -> Workshop {
    let workshop = try await talk()
    let user = FliteEngine()
    var sound = PCMBuffer.silence(.seconds(1), format: .recognition)
    for (text, pause) in [
      ("Turn on the kitchen light.", 2_500), ("Computer, turn on the kitchen light.", 12_000),
      ("Computer.", 2_500), ("Tell me a story.", 3_000),
    ] {
      let words = try await user.render(
        user.makeRequest(text: text, voiceId: voice), configuration: .default)
      sound.append(try words.resampled(to: .recognition))
      sound.append(.silence(.milliseconds(pause), format: .recognition))
    }
    try AudioFile.write(sound, to: workshop.folder.appending(path: "talk.wav"))
    return workshop
  }

  @Test(arguments: ["slt", "rms", "kal16"])
  func `the word and the command in one breath or two, with a grammar`(voice: String) async throws {
    let workshop = try await wakefulTalk(voice)
    defer { workshop.clear() }
    var tool = Tool(
      "loop", "-i", "talk.wav", "-v", "flite:rms", "-w", "computer", "-g", "talk.gram", "-o",
      "both.wav", "--record", "kept")
    tool.folder = workshop.folder
    let outcome = try await tool.run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let told = outcome.lines.filter { !$0.hasPrefix("ignored") && $0.contains("  ") }
      .prefix { !$0.hasPrefix("turn ") }
    #expect(
      Array(told.filter { ["awake", "user", "reply"].contains($0.prefix { $0 != " " }) }) == [
        "awake    computer", "user     turn on the kitchen light",
        "reply    turn on the kitchen light", "awake    computer", "user     tell me a story",
        "reply    tell me a story",
      ], "\(outcome.text)")
    // The replay uses the same spotter.
    var replay = Tool("replay", "kept")
    replay.folder = workshop.folder
    #expect(try await replay.run().status == 0)
  }

  @Test func `the word and the command in one breath, in dictation`() async throws {
    let workshop = try await wakefulTalk("rms")
    defer { workshop.clear() }
    var tool = Tool("loop", "-i", "talk.wav", "-v", "flite:rms", "-w", "computer")
    tool.folder = workshop.folder
    let outcome = try await tool.run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.count { $0 == "awake    computer" } == 2, "\(outcome.text)")
    #expect(
      outcome.lines.filter { $0.hasPrefix("user ") } == [
        "user     turn on the kitchen light", "user     tell me a story",
      ], "\(outcome.text)")
  }

  @Test func `a replay is identical, or differs where a rule was changed`()
    async throws
  {
    let workshop = try await talk()
    defer { workshop.clear() }
    #expect(try await loop(workshop, "--record", "bundle").status == 0)
    // The script is no longer needed, because the replies were recorded.
    try FileManager.default.removeItem(atPath: workshop.path("script.txt"))
    let same = try await tool(workshop, "replay", "bundle", "--record", "again").run()
    #expect(same.status == 0, "\(same.text)\(same.errors)")
    #expect(same.text.hasPrefix("All ") && same.text.contains("events are the same."))
    #expect(try workshop.text(of: "again/events.jsonl") == workshop.text(of: "bundle/events.jsonl"))

    let other = try await tool(workshop, "replay", "bundle", "--no-interruptions").run()
    #expect(other.status == 1)
    #expect(other.errors.isEmpty, "\(other.errors)")
    #expect(other.lines[0].hasPrefix("The events differ after "))
    #expect(other.lines.dropFirst().prefix(3).allSatisfy { $0.hasPrefix("  {") })
    #expect(other.lines.contains { $0.hasPrefix("- ") && $0.contains("replyHeld") })
    #expect(other.lines.contains { $0.hasPrefix("+ ") })

    let asked = try await tool(workshop, "replay", "bundle", "-r", "echo", "--json").run()
    #expect(asked.status == 1)
    #expect(asked.text.contains("\"isSame\":false"))
    #expect(asked.text.contains("\"exactness\":\"exact\""))
  }

  @Test func `a recording has the check of its words, with which it is replayed`() async throws {
    let workshop = try await talk()
    defer { workshop.clear() }
    _ = try workshop.write("Kirsten\nAtory\n", to: "names.txt")
    func run(_ arguments: String...) async throws -> Tool.Outcome {
      var tool = Tool(arguments)
      tool.folder = workshop.folder
      return try await tool.run()
    }
    let held = try await run(
      "loop", "-i", "talk.wav", "-v", "flite:rms", "--recogniser", "pocketsphinx",
      "--check", "mark", "--vocabulary", "names.txt", "--record", "bundle")
    #expect(held.status == 0, "\(held.errors)")
    let options = try ConversationBundle(contentsOf: workshop.folder.appending(path: "bundle"))
      .settings.options
    #expect(options["check"] == "mark")
    #expect(options["vocabulary"] == "Kirsten\nAtory")
    // The terms are no longer needed, because they were recorded.
    try FileManager.default.removeItem(atPath: workshop.path("names.txt"))
    let same = try await run("replay", "bundle", "--record", "again")
    #expect(same.status == 0, "\(same.text)\(same.errors)")
    let again = try ConversationBundle(contentsOf: workshop.folder.appending(path: "again"))
    #expect(again.settings.options == options)

    let off = try await run("replay", "bundle", "--check", "off", "--record", "off")
    #expect([0, 1].contains(off.status), "\(off.errors)")
    let unchecked = try ConversationBundle(contentsOf: workshop.folder.appending(path: "off"))
    #expect(unchecked.settings.options["check"] == nil)
    #expect(unchecked.settings.options["vocabulary"] == nil)
  }

  @Test func `the story of a recording with real devices is compared`() async throws {
    let workshop = try await talk()
    defer { workshop.clear() }
    #expect(try await loop(workshop, "--record", "bundle").status == 0)
    let url = workshop.folder.appending(path: "bundle")
    var bundle = try ConversationBundle(contentsOf: url)
    bundle.settings.isVirtual = false
    bundle.events = bundle.events.map { event in
      VoiceLoopEvent(time: event.time + .milliseconds(37), turn: event.turn, kind: event.kind)
    }
    try bundle.write(to: url)
    let outcome = try await tool(workshop, "replay", "bundle").run()
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains("events of the story are the same."))
  }

  @Test func `Ctrl-C ends a conversation with a file`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    // An hour of audio; the first event shows that the conversation is running.
    let words = try await FliteEngine().render(
      FliteEngine().makeRequest(text: "Hello.", voiceId: "slt"), configuration: .default)
    var piece = try words.resampled(to: .recognition)
    piece.append(.silence(.seconds(4), format: .recognition))
    var sound = PCMBuffer(format: .recognition)
    for _ in 0..<700 { sound.append(piece) }
    try AudioFile.write(sound, to: workshop.folder.appending(path: "talk.wav"))
    _ = try workshop.write(Self.grammar, to: "talk.gram")
    let running = try tool(
      workshop, "loop", "-i", "talk.wav", "-g", "talk.gram", "-v", "flite:rms", "--json"
    ).start()
    #expect(await running.readLine().contains("listening"))
    running.send(SIGINT)
    let outcome = await running.outcome()
    #expect(outcome.status == 130)
    #expect(!outcome.text.contains("\"ended\""))
  }

  @Test(arguments: [
    (["loop", "-i", "/nonexistent.wav"], 66, "no file"),
    (["loop", "-r", "moon"], 64, "--responder takes echo"),
    (["loop", "--headset", "--half-duplex"], 64, "Give one of"),
    (["loop", "-i", "x.wav", "--device", "1"], 64, "without --input"),
    (["loop", "-i", "x.wav", "--push-to-talk"], 64, "neither with --input"),
    (["loop", "--window", "3"], 64, "--window goes with --wake"),
    (["loop", "--spotter", "pocketsphinx"], 64, "--spotter goes with --wake"),
    (["loop", "--accept", "off"], 64, "--accept needs --grammar"),
    (["loop", "-r", "actions", "--check", "words"], 64, "--check is for dictation"),
    (["loop", "--metrics", "moon:x"], 64, "prometheus:FILE or otel:FILE"),
    (["loop", "-v", "flite:nobody"], 69, "There is no voice “nobody”"),
    (["loop", "-g", "/nonexistent.gram"], 66, "There is no file"),
    (["loop"], 69, "microphone"),
    (["replay"], 64, "FOLDER is missing"),
    (["replay", "/nonexistent"], 66, "has no readable file “settings.json”"),
  ])
  func `each failure has its exit code and a suggestion`(
    arguments: [String], status: Int32, message: String
  ) async throws {
    let outcome = try await Tool(arguments).run()
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }
}

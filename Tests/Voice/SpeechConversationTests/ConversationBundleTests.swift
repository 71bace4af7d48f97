import Foundation
import SpeechAudio
import SpeechCore
import SpeechFlite
import SpeechTesting
import Testing

@testable import SpeechConversation

/// A conversation that is recorded, and then replayed.
@Suite(.serialized) struct ConversationBundleTests {
  private static let story =
    "Once upon a time there was a king who had three daughters and one horse."

  private struct Room {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "speechkit-bundle-\(UUID().uuidString)", directoryHint: .isDirectory)

    func clear() { try? FileManager.default.removeItem(at: folder) }
  }

  /// The user's audio: a request, and a second one during the reply.
  private static func said() async throws -> PCMBuffer {
    let user = FliteEngine()
    var sound = PCMBuffer.silence(.seconds(1), format: .recognition)
    for (text, pause) in [("Tell me a story.", 3), ("No thank you.", 3)] {
      let words = try await user.render(
        user.makeRequest(text: text, voiceId: "slt"), configuration: .default)
      sound.append(try words.resampled(to: .recognition))
      sound.append(.silence(.seconds(pause), format: .recognition))
    }
    return sound
  }

  private static func hold(
    _ sound: PCMBuffer, rules: TurnRules = TurnRules(),
    responder: @escaping @Sendable (any DeviceClock) -> any Responder
  ) async throws -> ConversationRecorder {
    try await VirtualConversation.hold(hearing: sound) { devices in
      VoiceLoop(
        recognition: SpeechRecognitionEngine(
          provider: PocketSphinxRecognitionProvider(
            configuration: PocketSphinxConfiguration(search: .grammar(LoopScene.grammar)),
            input: devices.microphone)),
        responder: devices.recorder.responder(responder(devices.clock)),
        synthesis: SpeechSynthesisEngine(
          provider: VoiceSynthesisProvider(
            engine: FliteEngine(), configuration: .default, output: devices.speaker)),
        configuration: VoiceLoopConfiguration(rules: rules, voice: "rms", endsWithInput: true),
        clock: devices.clock)
    }.recorder
  }

  /// A responder that delays its pieces, as a model does.
  private static let responder: @Sendable (any DeviceClock) -> any Responder = { clock in
    ScriptedResponder(
      [
        .init(timed: [(.milliseconds(400), .text("Well. ")), (.milliseconds(50), .text(story))]),
        "As you like.",
      ], clock: clock)
  }

  @Test func `a replay is identical, and with a changed rule shows where it differs`()
    async throws
  {
    let room = Room()
    defer { room.clear() }
    let first = try await Self.hold(try await Self.said(), responder: Self.responder)
    var settings = ConversationSettings()
    settings.isVirtual = true
    settings.rules.attention = .wakeWord(["a", "b"], window: .seconds(3))
    settings.options["x"] = "y"
    try first.bundle(settings).write(to: room.folder)

    let bundle = try ConversationBundle(contentsOf: room.folder)
    #expect(bundle.settings == settings)
    #expect(bundle.events.map(\.line) == first.events.map(\.line))
    #expect(bundle.replies.map(\.text) == ["Well. " + Self.story, "As you like."])
    #expect(bundle.replies.map(\.question) == ["tell me a story", "no thank you"])
    #expect(bundle.replies[0].pieces.map(\.after) == [.milliseconds(400), .milliseconds(450)])
    #expect(bundle.replies.allSatisfy { $0.outcome == .complete })
    #expect(bundle.heard.format == .recognition)
    #expect(
      bundle.events.contains { event in
        if case .interrupted = event.kind { true } else { false }
      })

    let again = try await Self.hold(bundle.heard) { ReplayingResponder(bundle.replies, clock: $0) }
    #expect(EventComparison(bundle.events, again.events).difference == nil)
    let second = try again.bundle(settings)
    #expect(second.replies == bundle.replies)
    #expect(second.heard == bundle.heard)
    #expect(second.played == bundle.played)

    var rules = TurnRules()
    rules.interruption.isAllowed = false
    let other = try await Self.hold(bundle.heard, rules: rules) {
      ReplayingResponder(bundle.replies, clock: $0)
    }
    let difference = try #require(EventComparison(bundle.events, other.events).difference)
    #expect(difference.recorded[0].contains("replyHeld"), "\(difference.text)")
    #expect(difference.before.count == 3)
    #expect(difference.agreeing > 10)
    #expect(EventComparison(bundle.events, other.events, exactness: .story).difference != nil)
  }

  @Test func `the recorded output contains only the audio that was heard`() async throws {
    let recorder = try await Self.hold(try await Self.said(), responder: Self.responder)
    let bundle = try recorder.bundle(ConversationSettings())
    let held = try #require(recorder.events.first { $0.kind == .replyHeld }?.time)
    let format = bundle.played.format
    func isSilent(_ range: Range<Duration>) -> Bool {
      bundle.played.slice(
        format.frames(in: range.lowerBound)..<format.frames(in: range.upperBound)
      ).samples.allSatisfy { abs($0) < 10 }
    }
    #expect(!isSilent(held - .milliseconds(500)..<held))
    #expect(isSilent(held + .milliseconds(1)..<held + .milliseconds(400)))
    #expect(isSilent(Duration.zero..<Duration.seconds(1)))
  }

  @Test func `a truncated recording ends with its audio, even in the middle of a reply`()
    async throws
  {
    let said = try await Self.said()
    let format = said.format
    let recorder = try await VirtualConversation.hold(
      hearing: said.slice(0..<format.frames(in: .seconds(5))), stopsAtEnd: true
    ) { devices in
      VoiceLoop(
        recognition: SpeechRecognitionEngine(
          provider: PocketSphinxRecognitionProvider(
            configuration: PocketSphinxConfiguration(search: .grammar(LoopScene.grammar)),
            input: devices.microphone)),
        responder: ClosureResponder { _, _ in Self.story + " " + Self.story },
        synthesis: SpeechSynthesisEngine(
          provider: VoiceSynthesisProvider(
            engine: FliteEngine(), configuration: .default, output: devices.speaker)),
        configuration: VoiceLoopConfiguration(endsWithInput: true), clock: devices.clock)
    }.recorder
    let last = recorder.events.suffix(2)
    #expect(last.allSatisfy { abs($0.time.seconds - 5) < 0.001 })
    #expect(last.last?.kind == .ended)
    guard case .interrupted(let heard, _)? = last.first?.kind else {
      Issue.record("\(last)")
      return
    }
    #expect(heard.hasPrefix("Once upon"))
  }

  @Test(arguments: [
    ("\n{\"time\":0,\"turn\":1,\"kind\":\"ended\"", 2, "column 34: The line ends"),
    ("{\"kind\":\"ü\",}", 1, "column 13: A name in quotation marks"),
    ("{\"time\":0,\"turn\":1}", 1, "“kind” is missing"),
  ])
  func `an invalid line is reported with its position`(
    _ text: String, _ line: Int, _ reason: String
  )
    throws
  {
    let room = Room()
    defer { room.clear() }
    try FileManager.default.createDirectory(at: room.folder, withIntermediateDirectories: true)
    try JSONEncoder().encode(ConversationSettings())
      .write(to: room.folder.appending(path: "settings.json"))
    try Data((text + "\n").utf8).write(to: room.folder.appending(path: "events.jsonl"))
    try Data().write(to: room.folder.appending(path: "replies.jsonl"))
    let error = #expect(throws: ConversationBundleError.self) {
      try ConversationBundle(contentsOf: room.folder)
    }
    guard case .malformed("events.jsonl", line, let found)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.hasPrefix(reason), "\(found)")
  }

  @Test func `a question that was not recorded has no reply, which is reported`() async throws {
    try await VirtualWorld.run { world in
      let responder = ReplayingResponder(
        [
          RecordedReply(question: "Hello", pieces: [.init(after: .seconds(1), .text("Hi."))]),
          RecordedReply(question: "bye", outcome: .failed("broken")),
        ], clock: world.clock)
      @MainActor func ask(_ text: String) async -> (text: String, failure: String?) {
        var said = ""
        do {
          let stream = responder.reply(to: UserTurn(text: text), in: ConversationHistory())
          for try await piece in stream {
            if case .text(let text) = piece { said += text }
          }
          return (said, nil)
        } catch {
          return (said, error.localizedDescription)
        }
      }
      #expect(await ask("hello") == ("Hi.", nil))
      #expect(world.clock.time == .seconds(1))
      #expect(await ask("hello") == ("Hi.", nil))
      #expect(await ask("bye") == ("", "broken"))
      #expect(await ask("why").failure?.contains("No reply to “why” was recorded") == true)
    }
  }

  @Test func `a folder that is not a recording is refused with the reason`() throws {
    let room = Room()
    defer { room.clear() }
    #expect(throws: ConversationBundleError.self) {
      try ConversationBundle(contentsOf: room.folder)
    }
    let silence = PCMBuffer.silence(.seconds(1), format: .recognition)
    let reply = RecordedReply(
      question: "q",
      pieces: [.init(after: .zero, .uninterruptible("u")), .init(after: .seconds(1), .goodbye)],
      end: .seconds(2), outcome: .failed("f"))
    let bundle = ConversationBundle(
      settings: ConversationSettings(), events: [], replies: [reply], heard: silence,
      played: silence)
    try bundle.write(to: room.folder)
    #expect(try ConversationBundle(contentsOf: room.folder) == bundle)

    func refuse(_ file: String, _ text: String, _ message: String) throws {
      let url = room.folder.appending(path: file)
      let before = try Data(contentsOf: url)
      defer { try? before.write(to: url) }
      try Data(text.utf8).write(to: url)
      do {
        _ = try ConversationBundle(contentsOf: room.folder)
        Issue.record("“\(text)” was taken")
      } catch {
        #expect(error.localizedDescription.contains(message), "\(error.localizedDescription)")
      }
    }
    try refuse("events.jsonl", "\n{\"time\":0}\n", "events.jsonl, line 2")
    try refuse("replies.jsonl", "moon", "replies.jsonl, line 1")
    try refuse(
      "replies.jsonl",
      #"{"question":"","isEarly":false,"pieces":[],"end":-1,"outcome":"complete"}"#, "no time")
    try refuse("settings.json", "{}", "settings.json, line 1")
  }

  @Test(arguments: ["settings.json", "events.jsonl", "replies.jsonl", "heard.wav", "played.wav"])
  func `a file of another recording is refused`(file: String) throws {
    let (room, other) = (Room(), Room())
    defer {
      room.clear()
      other.clear()
    }
    func bundle(_ number: Int) -> ConversationBundle {
      var settings = ConversationSettings()
      settings.voice = String(number)
      let sound = PCMBuffer.silence(.seconds(number), format: .recognition)
      return ConversationBundle(
        settings: settings,
        events: [VoiceLoopEvent(time: .seconds(number), turn: 0, kind: .ended)],
        replies: [RecordedReply(question: String(number))], heard: sound, played: sound)
    }
    try bundle(1).write(to: room.folder)
    try bundle(2).write(to: other.folder)
    let place = room.folder.appending(path: file)
    try FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(at: other.folder.appending(path: file), to: place)
    let error = #expect(throws: ConversationBundleError.self) {
      try ConversationBundle(contentsOf: room.folder)
    }
    guard case .mixed(file, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.localizedDescription.contains("remove “manifest.json”") == true)
    // A whole recording takes the place of the mixed one.
    try bundle(2).write(to: room.folder)
    #expect(try ConversationBundle(contentsOf: room.folder) == bundle(2))
  }

  @Test func `a recording under way can be read, and its folder is its own`() throws {
    let room = Room()
    defer { room.clear() }
    let archive = try ConversationArchive(ConversationSettings(), recordingIn: room.folder)
    #expect(try ConversationBundle(contentsOf: room.folder).end == .zero)
    let sound = PCMBuffer.silence(.seconds(2), format: .recognition)
    let speech = PCMBuffer.silence(.seconds(1), format: AudioFormat(sampleRate: 22_050))
    archive.add(speech, at: .milliseconds(500), from: .loop)
    archive.add(sound, at: .seconds(1), from: .user)
    archive.note(VoiceLoopEvent(time: .seconds(1), turn: 0, kind: .listening))
    var replies = [RecordedReply(question: "one", outcome: .abandoned)]
    archive.note(NumberedReply(number: 0, reply: replies[0]), at: nil)
    replies.append(RecordedReply(question: "two", outcome: .abandoned))
    archive.note(NumberedReply(number: 1, reply: replies[1]), at: nil)
    replies[0].pieces.append(.init(after: .seconds(1), .text("a piece")))
    archive.note(NumberedReply(number: 0, reply: replies[0]), at: .seconds(1))
    // The next line was being written when the program was killed.
    let events = room.folder.appending(path: "events.jsonl")
    let whole = try Data(contentsOf: events)
    try (whole + Data("{\"time\":2,".utf8)).write(to: events)
    let killed = try ConversationBundle(contentsOf: room.folder)
    #expect(killed.events.map(\.kind) == [.listening])
    #expect(killed.replies == replies)
    #expect(killed.heard.duration == .seconds(3))
    #expect(killed.played.duration == .milliseconds(1_500))
    #expect(killed.end == .seconds(1))
    try whole.write(to: events)

    let error = #expect(throws: ConversationBundleError.self) {
      _ = try ConversationArchive(ConversationSettings(), recordingIn: room.folder)
    }
    #expect(error == .folderInUse(room.folder.path(percentEncoded: false)))
    archive.note(VoiceLoopEvent(time: .seconds(3), turn: 0, kind: .ended))
    try archive.finish(isDurable: true)
    let complete = try ConversationBundle(contentsOf: room.folder)
    #expect(complete.end == nil)
    #expect(complete.replies == replies)
    #expect(complete.heard == killed.heard)
  }

  @Test func `a recording that does not begin leaves nothing`() throws {
    let room = Room()
    defer { room.clear() }
    try ConversationArchive(ConversationSettings(), recordingIn: room.folder).discard()
    #expect(!FileManager.default.fileExists(atPath: room.folder.path))
  }

  @Test func `what is written to files is not kept in memory`() async throws {
    let room = Room()
    defer { room.clear() }
    let clock = VirtualClock()
    let recorder = ConversationRecorder(
      clock: clock,
      archive: try ConversationArchive(ConversationSettings(), recordingIn: room.folder))
    let sound = PCMBuffer.silence(.seconds(1), format: .recognition)
    let microphone = ScriptedMicrophone(playing: sound, clock: clock)
    let capture = try await recorder.microphone(microphone).open()
    while try await capture.read() != nil {}
    recorder.note(VoiceLoopEvent(time: .seconds(1), turn: 0, kind: .listening))
    #expect(recorder.heard.highestFormat == nil)
    #expect(recorder.events.isEmpty)
    let kept = try ConversationBundle(contentsOf: room.folder)
    #expect(kept.heard.duration == clock.time)
    #expect(kept.events.count == 1)
  }

  @Test func `a recording that stops is compared as far as it goes`() {
    func event(_ seconds: Int, _ kind: VoiceLoopEvent.Kind) -> VoiceLoopEvent {
      VoiceLoopEvent(time: .seconds(seconds), turn: 0, kind: kind)
    }
    let whole = [event(1, .listening), event(2, .userFinal("a")), event(3, .thinking)]
    let part = Array(whole.dropLast())
    for exactness in [EventComparison.Exactness.exact, .story] {
      let same = EventComparison(part, whole, exactness: exactness, before: .seconds(2))
      #expect(same.difference == nil)
      #expect(same.count == 1)
      #expect(EventComparison(part, whole, exactness: exactness).difference != nil)
      let other = [event(1, .asleep)] + whole.dropFirst()
      #expect(
        EventComparison(part, other, exactness: exactness, before: .seconds(2)).difference != nil)
    }
  }

  @Test func `only simultaneous events may differ in order`() {
    func event(_ seconds: Int, _ kind: VoiceLoopEvent.Kind) -> VoiceLoopEvent {
      VoiceLoopEvent(time: .seconds(seconds), turn: 0, kind: kind)
    }
    let one = [event(1, .listening), event(2, .thinking), event(2, .userFinal("a"))]
    let two = [event(1, .listening), event(2, .userFinal("a")), event(2, .thinking)]
    #expect(EventComparison(one, two).difference == nil)
    #expect(EventComparison(one, two).count == 3)
    #expect(EventComparison(one, two, exactness: .story).difference?.agreeing == 1)
    let later = [event(1, .listening), event(2, .userFinal("a")), event(3, .thinking)]
    #expect(EventComparison(two, later).difference?.agreeing == 2)
    #expect(EventComparison(two, later, exactness: .story).difference == nil)
    let longer = EventComparison(one, one + [event(4, .ended)]).difference
    #expect(longer?.recorded == [])
    #expect(longer?.replayed.count == 1)
  }
}

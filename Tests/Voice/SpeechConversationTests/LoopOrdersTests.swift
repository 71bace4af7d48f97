import SpeechAudio
import SpeechConversation
import SpeechCore
import SpeechTesting
import SpeechConcurrency
import TestSupport
import Testing

/// Calls to a loop at inconvenient moments.
@Suite(.serialized) struct LoopOrdersTests {
  @Test func `a paused loop neither answers nor prompts`() async throws {
    try await VirtualWorld.run { world in
      let asked = CountingResponder()
      var rules = TurnRules()
      rules.prompt = .init(after: .seconds(5), texts: ["Are you there?"])
      let bench = LoopBench(world, responder: asked, rules: rules)
      try await bench.loop.start()
      bench.ears.begin()
      bench.ears.finish("turn on the light")
      // Before the loop could process the utterance.
      bench.loop.pause()
      try await bench.pass(60)
      #expect(bench.kinds.contains(.userFinal("turn on the light")))
      #expect(asked.count == 0)
      #expect(!bench.kinds.contains { if case .prompted = $0 { true } else { false } })
      #expect(bench.speaker.sounds.isEmpty)
      await bench.stop()
    }
  }

  @Test func `pausing and resuming at once leaves exactly one recogniser running`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(world, responder: EchoResponder())
      try await bench.loop.start()
      for _ in 0..<20 {
        bench.loop.pause()
        try await bench.loop.resume()
      }
      try await bench.pass(30)
      try await bench.say("hello")
      try await bench.pass(3)
      #expect(bench.kinds.filter { $0 == .userFinal("hello") }.count == 1)
      #expect(bench.kinds.contains(.replyFinished("hello")))
      #expect(!bench.kinds.contains(.recognitionReturned))
      await bench.stop()
    }
  }

  @Test func `the loop stays paused if its recogniser does not restart`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(world, responder: EchoResponder())
      try await bench.loop.start()
      bench.loop.pause()
      bench.ears.startErrors = [.notAvailable]
      await #expect(throws: SpeechRecognitionError.notAvailable) { try await bench.loop.resume() }
      #expect(bench.loop.isPaused)
      try await bench.loop.resume()
      try await bench.say("hello")
      try await bench.pass(3)
      #expect(bench.kinds.contains(.replyFinished("hello")))
      await bench.stop()
    }
  }

  @Test func `stopping while the recogniser is being restarted ends at once`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(world, responder: EchoResponder())
      try await bench.loop.start()
      bench.ears.startErrors = Array(repeating: .notAvailable, count: 100)
      bench.ears.begin()
      bench.ears.fail(.recognitionFailed("It broke."))
      try await bench.pass(3)
      let before = world.clock.time
      await bench.stop()
      #expect(world.clock.time == before)
      let left = bench.ears.startErrors.count
      try await bench.pass(60)
      #expect(bench.ears.startErrors.count == left)
      #expect(bench.kinds.last == .ended)
    }
  }

  @Test func `an announcement does not wait for a reply and does not cancel one`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(
        world,
        responder: ScriptedResponder(
          [.init(timed: [(.seconds(3), .text("It is noon."))])], clock: world.clock))
      try await bench.loop.start()
      try await bench.say("what time is it")
      bench.loop.say("The tea is ready.")
      try await bench.pass(10)
      #expect(bench.kinds.contains(.replyFinished("The tea is ready. It is noon.")))
      await bench.stop()
    }
  }

  @Test func `an announcement survives a turn that begins before its first sound`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(world, responder: ScriptedResponder(["It is noon."]))
      try await bench.loop.start()
      bench.loop.say("The tea is ready.")
      try await bench.say("what time is it")
      try await bench.pass(10)
      #expect(bench.kinds.contains(.replyFinished("The tea is ready. It is noon.")))
      await bench.stop()
    }
  }

  @Test func `an earcon on a stalled output does not keep the microphone muted`() async throws {
    try await VirtualWorld.run { world in
      var rules = TurnRules()
      rules.attention = .wakeWord(["computer"], window: .seconds(8))
      let bench = LoopBench(world, responder: EchoResponder(), rules: rules) {
        $0.earcon = Earcon(output: StandingOutput())
      }
      try await bench.loop.start()
      try await bench.say("computer")
      // No command follows the wake word.
      try await bench.pass(0.5)
      #expect(bench.ears.isMuted)
      try await bench.pass(2)
      #expect(!bench.ears.isMuted)
      try await bench.say("hello")
      try await bench.pass(3)
      #expect(bench.kinds.contains(.replyFinished("hello")))
      await bench.stop()
    }
  }
}

/// Replies with one word, and counts its turns.
private final class CountingResponder: Responder {
  private let asked = Guarded(0)
  var count: Int { asked.withLock(\.self) }

  func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    asked.withLock { $0 += 1 }
    return .saying("Done.")
  }
}

/// An output that never plays anything.
private struct StandingOutput: AudioOutput {
  let name = "standing still"

  func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    let (forever, held) = AsyncStream<Void>.makeStream()
    for await _ in forever {}
    withExtendedLifetime(held) {}
    throw CancellationError()
  }
}

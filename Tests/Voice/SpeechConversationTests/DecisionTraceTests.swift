import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechTesting
import Testing

@Suite(.serialized) struct DecisionTraceTests {
  @MainActor private static func run(
    rules: TurnRules = TurnRules(), replies: [String] = ["A rather long reply to that."],
    _ body:
      @escaping @MainActor @Sendable (VirtualWorld, ScriptedRecogniser, VoiceLoop) async throws
      -> Void
  ) async throws -> DecisionTrace {
    try await VirtualWorld.run { world in
      let ears = ScriptedRecogniser()
      let loop = VoiceLoop(
        recognition: SpeechRecognitionEngine(provider: ears),
        responder: ScriptedResponder(replies.map { .init(stringLiteral: $0) }, clock: world.clock),
        synthesis: SpeechSynthesisEngine(
          provider: VoiceSynthesisProvider(
            engine: FliteEngine(), configuration: .default,
            output: MemorySpeaker(clock: world.clock))),
        configuration: VoiceLoopConfiguration(rules: rules), clock: world.clock)
      try await loop.start()
      try await body(world, ears, loop)
      await loop.stop()
      return loop.trace
    }
  }

  @Test func `the trace explains why a reply was held, resumed and ended`() async throws {
    let trace = try await Self.run { world, ears, _ in
      func pass(_ milliseconds: Int) async throws {
        try await world.clock.sleep(until: world.clock.time + .milliseconds(milliseconds))
      }
      ears.begin()
      ears.finish("hello")
      try await pass(300)
      ears.begin()
      try await pass(400)
      ears.finish(nil)
      try await pass(200)
      ears.begin()
      ears.guess("stop")
      ears.finish("stop")
      try await pass(10)
    }
    func decision(_ isWanted: (TurnAction) -> Bool) throws -> DecisionTrace.Decision {
      try #require(trace.decisions.first { $0.actions.contains(where: isWanted) })
    }
    let asked = try decision { if case .respond = $0 { true } else { false } }
    #expect(asked.reason == "“hello” was said")
    #expect(asked.description.contains("→ report that the user said “hello”"))
    let held = try decision { $0 == .hold(reply: 1) }
    #expect(held.reason == "the user's voice lasted 0.3 s")
    #expect(held.time == .milliseconds(600))
    #expect(try decision { $0 == .resume(reply: 1) }.reason.contains("nothing was understood"))
    #expect(try decision { $0 == .interrupt(reply: 1) }.reason.contains("which is a stop word"))
  }

  @Test func `the trace holds the last thousand decisions`() async throws {
    let trace = try await Self.run { world, ears, loop in
      for _ in 0..<600 {
        loop.say("Hello.")
        loop.interrupt()
        try await world.settle()
      }
    }
    #expect(trace.decisions.count == DecisionTrace.limit)
    #expect(trace.decisions.first?.reason != "the loop began")
  }
}

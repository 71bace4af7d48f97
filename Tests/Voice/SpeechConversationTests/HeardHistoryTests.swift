import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechTesting
import Testing

/// The history holds what was said and heard, neither more nor less. `Samples/Scenarios/elsewhere`
/// has the cases that people can bring about.
@Suite(.serialized) struct HeardHistoryTests {
  @MainActor private static func texts(_ bench: LoopBench) -> [String] {
    bench.loop.history.entries.map { "\($0.speaker.rawValue): \($0.text)" }
  }

  @Test func `turns with equal beginnings are entries of their own`() async throws {
    try await VirtualWorld.run { world in
      // A responder that turns pages has nothing to say.
      let bench = LoopBench(world, responder: ClosureResponder { _, _ in "" })
      try await bench.loop.start()
      for text in ["next", "next", "next page"] {
        try await bench.say(text)
        try await bench.pass(1)
      }
      await bench.stop()
      #expect(Self.texts(bench) == ["user: next", "user: next", "user: next page"])
    }
  }

  @Test func `a turn that continues before its reply is heard is one entry`() async throws {
    try await VirtualWorld.run { world in
      let pasts = Guarded<[[String]]>([])
      let responder = ClosureResponder { turn, history in
        pasts.withLock { $0.append(history.entries.map(\.text)) }
        try await world.clock.sleep(until: world.clock.time + .seconds(1))
        return "Yes."
      }
      let bench = LoopBench(world, responder: responder)
      try await bench.loop.start()
      try await bench.say("turn on")
      try await bench.pass(0.5)
      try await bench.say("turn on the light")
      try await bench.pass(5)
      await bench.stop()
      #expect(Self.texts(bench) == ["user: turn on turn on the light", "reply: Yes."])
      #expect(pasts.withLock { $0 } == [[], []])
    }
  }

  @Test func `text that was replaced before it began was not heard`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(world, responder: EchoResponder())
      try await bench.loop.start()
      bench.loop.say("Once upon a time there was a king who had three daughters.")
      try await bench.pass(2)
      bench.loop.say("The eggs are done, and so is the coffee.")
      bench.loop.say("The bread is done.")
      try await bench.pass(10)
      await bench.stop()
      let entries = bench.loop.history.entries
      #expect(entries.count == 2)
      #expect(entries.first?.text.hasPrefix("Once upon a time") == true)
      #expect(entries.first?.isInterrupted == true)
      #expect(
        entries.last?.text == "The eggs are done, and so is the coffee. The bread is done.")
    }
  }

  @Test func `a sentence is spoken when the text pauses after it`() async throws {
    try await VirtualWorld.run { world in
      let responder = ScriptedResponder(
        [
          .init(timed: [
            (.zero, .text("I saw Dr.")), (.seconds(2), .text(" Smith.")),
            (.seconds(5), .text(" He is well.")),
          ])
        ], clock: world.clock)
      let bench = LoopBench(world, responder: responder)
      try await bench.loop.start()
      try await bench.say("how is the doctor")
      try await bench.pass(20)
      await bench.stop()
      let spoken = bench.events.withLock { events in
        events.compactMap { event in
          if case .speaking(let text) = event.kind { (text, event.time) } else { nil }
        }
      }
      #expect(spoken.map(\.0) == ["I saw Dr. Smith.", " He is well."])
      // After half a second in which no text came.
      let first = try #require(spoken.first?.1)
      #expect(first >= .milliseconds(2_500) && first < .milliseconds(2_600))
      #expect(
        Self.texts(bench) == [
          "user: how is the doctor", "reply: I saw Dr. Smith. He is well.",
        ])
    }
  }

  @Test func `a reply that was held before its first sound mutes the microphone`() async throws {
    try await VirtualWorld.run { world in
      var rules = TurnRules()
      rules.isHalfDuplex = true
      let speaker = MemorySpeaker(clock: world.clock)
      let bench = LoopBench(
        world, responder: ClosureResponder { _, _ in "It is noon." }, rules: rules,
        synthesis: VoiceSynthesisProvider(
          engine: FaultyVoiceEngine(
            FliteEngine(), [1: .late(.seconds(3))], clock: world.clock),
          configuration: .default, output: speaker))
      try await bench.loop.start()
      try await bench.say("what time is it")
      try await bench.pass(1)
      bench.ears.begin()
      try await bench.pass(1)
      bench.ears.finish(nil)
      try await bench.pass(1.2)
      #expect(bench.ears.isMuted)
      #expect(bench.kinds.contains(.speaking("It is noon.")))
      try await bench.pass(5)
      #expect(!bench.ears.isMuted)
      await bench.stop()
      #expect(Self.texts(bench) == ["user: what time is it", "reply: It is noon."])
    }
  }
}

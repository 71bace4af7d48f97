import Foundation
import SpeechAudio
import SpeechConversation
import SpeechCore
import SpeechGrammar
import SpeechTesting
import Testing

/// The rules of a conversation, with real voices and a real recogniser in virtual time.
@Suite(.serialized) struct LoopRulesTests {
  private static let story =
    "Once upon a time there was a king who had three daughters and one old horse."

  private static let isSpeaking: @Sendable (VoiceLoopEvent.Kind) -> Bool = {
    if case .speaking = $0 { true } else { false }
  }

  @Test func `a listener's sound such as “mhm” does not hold the reply`() async throws {
    try await VirtualWorld.run { world in
      let scene = LoopScene(
        world, responder: ScriptedResponder([.init(stringLiteral: Self.story)]))
      try await scene.start()
      try await scene.say("Tell me a story.", after: .seconds(1))
      try await scene.wait(for: Self.isSpeaking)
      try await scene.say("Okay.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished(Self.story) }
      await scene.stop()
      #expect(scene.story.contains { $0.hasPrefix("userIgnored(\"okay\"") })
      #expect(!scene.story.contains("replyHeld"))
      #expect(
        scene.loop.history.entries == [.init(.user, "tell me a story"), .init(.reply, Self.story)]
      )
    }
  }

  @Test func `rejected speech holds the reply, which resumes at the same word`()
    async throws
  {
    try await VirtualWorld.run { world in
      let scene = LoopScene(
        world, responder: ScriptedResponder([.init(stringLiteral: Self.story)]),
        acceptance: .recommended)
      try await scene.start()
      try await scene.say("Tell me a story.", after: .seconds(1))
      try await scene.wait(for: Self.isSpeaking)
      try await scene.say("Nobody knows what became of them.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished(Self.story) }
      await scene.stop()
      #expect(scene.story.contains("replyHeld"))
      #expect(scene.events.contains { $0.kind == .replyResumed(.rejected) })
      #expect(
        scene.loop.history.entries == [.init(.user, "tell me a story"), .init(.reply, Self.story)]
      )
      // Spoken in two parts, the second of which starts with the word that was cut.
      let words = scene.events.compactMap { event -> Range<Int>? in
        if case .word(let range) = event.kind { range } else { nil }
      }
      #expect(scene.speaker.sounds.count == 2)
      #expect(Set(words).count == words.count - 1)
      #expect(Set(words).count == Self.story.split(separator: " ").count)
    }
  }

  @Test func `a stop word ends the reply and is not answered`() async throws {
    try await VirtualWorld.run { world in
      let scene = LoopScene(
        world, responder: ScriptedResponder([.init(stringLiteral: Self.story)]))
      try await scene.start()
      try await scene.say("Tell me a story.", after: .seconds(1))
      try await scene.wait(for: Self.isSpeaking)
      try await scene.say("Stop.", after: .seconds(1))
      try await scene.wait { if case .interrupted = $0 { true } else { false } }
      let end = scene.speaker.sounds.map { $0.start + $0.audio.duration }.max()
      try await scene.wait(.seconds(5))
      #expect(scene.speaker.sounds.map { $0.start + $0.audio.duration }.max() == end)
      await scene.stop()
      #expect(scene.loop.history.entries.count == 2)
    }
  }

  @Test func `an uninterruptible reply is completed before the user is answered`()
    async throws
  {
    try await VirtualWorld.run { world in
      let scene = LoopScene(
        world,
        responder: ScriptedResponder([
          .init([.uninterruptible("This call may be recorded for your safety and ours.")]),
          "Good.",
        ]))
      try await scene.start()
      try await scene.say("Hello.", after: .seconds(1))
      try await scene.wait(for: Self.isSpeaking)
      try await scene.say("Yes please.", after: .milliseconds(500))
      try await scene.wait { $0 == .replyFinished("Good.") }
      await scene.stop()
      #expect(!scene.story.contains("replyHeld"))
      #expect(
        scene.loop.history.entries.map(\.text) == [
          "hello", "This call may be recorded for your safety and ours.", "yes please", "Good.",
        ])
    }
  }

  @Test func `half duplex does not hear its own voice`() async throws {
    try await VirtualWorld.run { world in
      var rules = TurnRules()
      rules.isHalfDuplex = true
      rules.ignoresOwnWords = false
      let scene = LoopScene(world, responder: ScriptedResponder(["Good morning."]), rules: rules)
      try await scene.start()
      try await scene.say("Hello.", after: .seconds(1))
      try await scene.wait(for: Self.isSpeaking)
      // The echo of the room: the loop's own words, which the grammar has.
      try await scene.say("Good morning.")
      try await scene.wait { $0 == .replyFinished("Good morning.") }
      try await scene.say("Yes please.", after: .milliseconds(300))
      try await scene.wait { $0 == .userFinal("yes please") }
      await scene.stop()
      #expect(scene.loop.history.entries.map(\.text).filter { $0 == "good morning" }.isEmpty)
    }
  }

  @Test func `a command can follow the wake word without a pause`() async throws {
    try await VirtualWorld.run { world in
      var rules = TurnRules()
      rules.attention = .wakeWord(["computer"], window: .seconds(6))
      let scene = LoopScene(
        world, responder: EchoResponder(), rules: rules,
        grammar: """
          #JSGF V1.0; grammar test;
          public <said> = [computer] (turn on the kitchen light | what time is it) | computer;
          """)
      try await scene.start()
      try await scene.say("What time is it?", after: .seconds(1))
      try await scene.wait { $0 == .userIgnored("what time is it", .notAddressed) }
      try await scene.say("Computer, turn on the kitchen light.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("turn on the kitchen light") }
      // The loop is still awake, and later asleep.
      try await scene.say("What time is it?", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("what time is it") }
      try await scene.wait { $0 == .asleep }
      await scene.stop()
    }
  }

  @Test func `a complete sentence of the grammar ends the turn sooner`() async throws {
    let source = LoopScene.grammar
    let delays = try await VirtualWorld.run { world in
      var delays: [Duration] = []
      for isQuick in [false, true] {
        let matcher = try CommandMatcher(CommandGrammar(JSGFGrammar(source)))
        let scene = LoopScene(
          world, responder: EchoResponder(),
          change: { if isQuick { $0.endRule = .grammar(matcher) } })
        try await scene.start()
        try await scene.say("What time is it?", after: .seconds(1))
        try await scene.wait { $0 == .replyFinished("what time is it") }
        await scene.stop()
        delays += scene.events.compactMap {
          if case .timings(let timings) = $0.kind { timings.endOfTurn } else { nil }
        }
      }
      return delays
    }
    try #require(delays.count == 2)
    #expect(delays[0] > .milliseconds(700) && delays[1] < .milliseconds(450))
  }

  @Test func `an early answer adds no delay`() async throws {
    try await VirtualWorld.run { world in
      var rules = TurnRules()
      rules.answersEarly = true
      let scene = LoopScene(
        world,
        responder: ScriptedResponder(
          [.init(timed: [(.milliseconds(400), .text("Hello to you."))])], clock: world.clock),
        rules: rules)
      try await scene.start()
      try await scene.say("Hello.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("Hello to you.") }
      await scene.stop()
      let timings = scene.events.compactMap { event -> TurnTimings? in
        if case .timings(let timings) = event.kind { timings } else { nil }
      }
      #expect(timings.first?.firstToken == .zero)
      // Reported when the first sample has been played.
      #expect(timings.first?.firstSound == .microseconds(62.5))
      #expect(scene.loop.history.entries.count == 2)
    }
  }

  @Test func `the loop survives the loss and return of its microphone`() async throws {
    try await VirtualWorld.run { world in
      let scene = LoopScene(
        world, responder: EchoResponder(),
        script: AudioScript().interrupted(at: .seconds(1), for: .seconds(2)))
      try await scene.start()
      try await scene.wait { if case .recognitionFailed = $0 { true } else { false } }
      try await scene.wait { $0 == .recognitionReturned }
      try await scene.say("Hello.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("hello") }
      await scene.stop()
    }
  }
}

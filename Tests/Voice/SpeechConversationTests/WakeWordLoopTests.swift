import SpeechAudio
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechPocketSphinx
import SpeechTesting
import Testing

/// A loop with a separate recogniser for the wake word.
@Suite(.serialized) struct WakeWordLoopTests {
  @Test
  func `the spotter wakes the loop, and the command may follow with or without a pause`()
    async throws
  {
    try await VirtualWorld.run { world in
      var rules = TurnRules()
      rules.attention = .wakeWord(["computer"], window: .seconds(6))
      let scene = LoopScene(
        world, responder: EchoResponder(), rules: rules,
        recognition: { input in
          DecoderRecognitionProvider<WakeWordDecoder<PocketSphinxDecoder, PocketSphinxDecoder>>(
            configuration: WakeWordConfiguration(
              spotter: PocketSphinxConfiguration(search: .keyPhrases(["computer"])),
              command: PocketSphinxConfiguration(
                search: .grammar(LoopScene.grammar), acceptance: .recommended),
              window: .seconds(6)),
            input: input)
        })
      try await scene.start()
      try await scene.say("What time is it?", after: .seconds(1))
      try await scene.wait(.seconds(4))
      #expect(scene.story == ["asleep"])
      try await scene.say("Computer, turn on the kitchen light.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("turn on the kitchen light") }
      try await scene.wait { $0 == .asleep }
      try await scene.say("Computer.", after: .seconds(1))
      try await scene.wait { $0 == .awake("computer") }
      try await scene.say("Good morning.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("good morning") }
      await scene.stop()
    }
  }

  private static let keys: [KeyPhrase] = ["computer"]

  /// A loop that decides itself when the word is required, as `speechkit loop --wake` does.
  @MainActor private func scene(
    _ world: VirtualWorld, window: Duration = .seconds(6),
    responder: any Responder = EchoResponder(),
    change: (inout VoiceLoopConfiguration) -> Void = { _ in }
  ) -> LoopScene {
    var rules = TurnRules()
    rules.attention = .wakeWord(["computer"], window: window)
    return LoopScene(
      world, responder: responder, rules: rules, change: change,
      recognition: { input in
        DecoderRecognitionProvider<WakeWordDecoder<PocketSphinxDecoder, PocketSphinxDecoder>>(
          configuration: WakeWordConfiguration(
            spotter: PocketSphinxConfiguration(search: .keyPhrases(Self.keys)),
            command: PocketSphinxConfiguration(
              search: .grammar(LoopScene.grammar), acceptance: .recommended),
            window: nil),
          input: input)
      })
  }

  @Test
  func
    `the wake word is required again only after the window`()
    async throws
  {
    try await VirtualWorld.run { world in
      let story = "Once upon a time there was a king who had three daughters and one old horse."
      let scene = self.scene(
        world,
        responder: ScriptedResponder(
          [.init(stringLiteral: "Hello."), .init(stringLiteral: story)], clock: world.clock))
      try await scene.start()
      try await scene.say("Computer, hello.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("Hello.") }
      // Without the wake word.
      try await scene.say("Tell me a story.", after: .seconds(1))
      try await scene.wait { $0 == .speaking(story) }
      try await scene.say("Stop.", after: .seconds(1))
      try await scene.wait { if case .interrupted = $0 { true } else { false } }
      try await scene.wait { $0 == .asleep }
      let before = scene.events.count
      try await scene.say("Good morning.", after: .seconds(1))
      try await scene.wait(.seconds(4))
      // Ignored without an event.
      #expect(scene.events.count == before, "\(scene.log.suffix(4))")
      try await scene.say("Computer, good morning.", after: .seconds(1))
      try await scene.wait { $0 == .userFinal("good morning") }
      await scene.stop()
    }
  }

  @Test func `the earcon never overlaps a command, and plays if none follows the wake word`()
    async throws
  {
    try await VirtualWorld.run { world in
      let earcon = MemorySpeaker(clock: world.clock)
      let scene = self.scene(world) { $0.earcon = Earcon(output: earcon) }
      try await scene.start()
      try await scene.say("Computer, turn on the kitchen light.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("turn on the kitchen light") }
      #expect(earcon.sounds.isEmpty)
      try await scene.wait { $0 == .asleep }
      try await scene.say("Computer.", after: .seconds(1))
      try await scene.wait { $0 == .awake("computer") }
      try await scene.wait(.seconds(2))
      #expect(!earcon.sounds.isEmpty)
      try await scene.say("Good morning.")
      try await scene.wait { $0 == .replyFinished("good morning") }
      await scene.stop()
    }
  }

  @Test func `a paused loop does not stay awake`() async throws {
    try await VirtualWorld.run { world in
      let scene = self.scene(world)
      try await scene.start()
      try await scene.say("Computer, hello.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("hello") }
      try await scene.wait { $0 == .asleep }
      scene.loop.pause()
      try await scene.loop.resume()
      try await scene.say("Good morning.", after: .seconds(1))
      try await scene.wait(.seconds(4))
      #expect(!scene.story.contains { $0.contains("good morning") }, "\(scene.story)")
      try await scene.say("Computer, good morning.", after: .seconds(1))
      try await scene.wait { $0 == .userFinal("good morning") }
      await scene.stop()
    }
  }
}

import SpeechAudio
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechPocketSphinx
import SpeechTesting
import Testing

/// A loop whose wake word is listened for by a recogniser of its own.
@Suite(.serialized) struct WakeWordLoopTests {
  @Test
  func `the spotter wakes the loop, and the command behind it is taken, in one breath or two`()
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
}

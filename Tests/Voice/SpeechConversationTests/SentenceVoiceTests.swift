import SpeechAudio
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechTesting
import Testing

/// Texts that are spoken while they arrive, in virtual time.
@MainActor struct SentenceVoiceTests {
  private func voice(_ world: VirtualWorld, _ speaker: MemorySpeaker) -> SentenceVoice {
    SentenceVoice(
      SpeechSynthesisEngine(
        provider: VoiceSynthesisProvider(
          engine: FliteEngine(), configuration: .default, output: speaker)),
      voice: "rms", clock: world.clock)
  }

  private func length(_ speaker: MemorySpeaker) -> Duration {
    speaker.sounds.reduce(.zero) { $0 + $1.audio.duration }
  }

  @Test func `the first sentence is spoken before the second arrives`() async throws {
    try await VirtualWorld.run { world in
      let speaker = MemorySpeaker(clock: world.clock)
      let voice = voice(world, speaker)
      voice.add("This is the first ")
      try await world.clock.sleep(until: world.clock.time + .seconds(1))
      #expect(speaker.sounds.isEmpty)
      voice.add("sentence. And ")
      try await world.clock.sleep(until: world.clock.time + .seconds(4))
      let first = length(speaker)
      #expect(first > .milliseconds(800))
      voice.add("this is the second.")
      try await voice.finish()
      #expect(length(speaker) > first + .milliseconds(600))
    }
  }

  @Test func `empty text and punctuation alone are not spoken`() async throws {
    try await VirtualWorld.run { world in
      let speaker = MemorySpeaker(clock: world.clock)
      try await voice(world, speaker).finish()
      let marks = voice(world, speaker)
      marks.add("… !")
      try await marks.finish()
      #expect(speaker.sounds.isEmpty)
    }
  }

  @Test func `replacing the text silences it at once and speaks the new text from its start`()
    async throws
  {
    try await VirtualWorld.run { world in
      let speaker = MemorySpeaker(clock: world.clock)
      let voice = voice(world, speaker)
      voice.add("This is a long sentence that nobody wants to hear any more at all. And more. ")
      try await world.clock.sleep(until: world.clock.time + .milliseconds(500))
      await voice.startOver()
      let before = length(speaker)
      #expect(before < .seconds(2))
      voice.add("Yes.")
      try await voice.finish()
      #expect(length(speaker) > before)
      #expect(length(speaker) < before + .seconds(2))
    }
  }

  @Test func `cancelling the task ends with silence`() async throws {
    try await VirtualWorld.run { world in
      let speaker = MemorySpeaker(clock: world.clock)
      let voice = voice(world, speaker)
      voice.add("This is a long sentence that nobody wants to hear any more at all. And more. ")
      let saying = Task { try await voice.finish() }
      try await world.clock.sleep(until: world.clock.time + .seconds(1))
      saying.cancel()
      await #expect(throws: CancellationError.self) { try await saying.value }
      let heard = length(speaker)
      #expect(heard < .seconds(2))
      voice.add("Nobody hears this.")
      try await world.clock.sleep(until: world.clock.time + .seconds(5))
      #expect(length(speaker) == heard)
    }
  }

  @Test func `a failure of the voice is reported, and the remaining text is not spoken`()
    async throws
  {
    try await VirtualWorld.run { world in
      let speaker = MemorySpeaker(clock: world.clock)
      let voice = SentenceVoice(
        SpeechSynthesisEngine(
          provider: VoiceSynthesisProvider(
            engine: FliteEngine(), configuration: .default, output: speaker)),
        voice: "nobody", clock: world.clock)
      voice.add("One. Two. Three. ")
      await #expect(throws: SpeechSynthesisProviderError.self) { try await voice.finish() }
      #expect(speaker.sounds.isEmpty)
    }
  }
}

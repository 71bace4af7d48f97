import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechKit
import SpeechPortAudio
import Testing

extension DeviceTests {
  /// A conversation over the machine's microphone and speakers, with a player as the user.
  @Suite(.serialized, .needsSoundDevice) struct Conversation {
    private static let grammar =
      "#JSGF V1.0; grammar g; public <said> = hello | good morning | no thank you;"

    /// Plays what the user says into the room.
    private static func say(_ text: String) async throws {
      let voice = FliteEngine()
      let sound = try await voice.render(
        voice.makeRequest(text: text, voiceId: "slt"), configuration: .default)
      let playback = try await PortAudioSpeaker().open(sound.format)
      try await playback.write(sound)
      try await playback.finish()
    }

    @Test func `half duplex: three turns over real devices, without hearing its own words`()
      async throws
    {
      var rules = TurnRules()
      rules.isHalfDuplex = true
      // The grammar would accept our own words; only the muted microphone keeps them out.
      rules.ignoresOwnWords = false
      let loop = await VoiceLoop(
        recognition: SpeechRecognitionEngine(
          provider: PocketSphinxRecognitionProvider(
            configuration: PocketSphinxConfiguration(search: .grammar(Self.grammar)),
            input: PortAudioMicrophone())),
        responder: ScriptedResponder(["Good morning.", "No thank you.", "Hello."]),
        synthesis: SpeechSynthesisEngine(
          provider: FliteSynthesisProvider(
            engine: FliteEngine(), configuration: .default, output: PortAudioSpeaker())),
        configuration: VoiceLoopConfiguration(rules: rules, voice: "rms"))
      let events = await loop.events
      let history = try await within(.seconds(60)) {
        try await loop.start()
        var turns = 0
        for await event in events {
          guard case .listening = event.kind else { continue }
          if turns == 3 { break }
          turns += 1
          try await Self.say(["Hello.", "Good morning.", "No thank you."][turns - 1])
        }
        await loop.stop()
        return await loop.history
      }
      #expect(
        history.entries.map(\.text) == [
          "hello", "Good morning.", "good morning", "No thank you.", "no thank you", "Hello.",
        ])
    }
  }
}

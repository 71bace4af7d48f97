import Foundation
import SpeechAudio
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechPocketSphinx
import SpeechTesting
import Testing

/// A voice that does not report the positions of its words.
private struct SilentAboutWords: VoiceEngine {
  static let identifier = "test.silent"
  let engineId = "silent"

  func canGenerate(with configuration: FliteConfiguration) -> Bool { true }
  func fetchVoices(
    languageCode: String, configuration: FliteConfiguration
  ) async throws -> [SpeechCore.Voice] { [] }
  func isVoiceAvailable(voiceId: String, configuration: FliteConfiguration) async -> Bool { true }
  func estimateDuration(
    request: VoiceEngineRequest, configuration: FliteConfiguration
  ) -> TimeInterval { 3 }

  func generateAudio(
    request: VoiceEngineRequest, configuration: FliteConfiguration
  ) async throws -> VoiceEngineOutput {
    try await FliteEngine().generateAudio(request: request, configuration: configuration)
  }
}

@Suite(.serialized) struct WordAlignmentTests {
  private static let text = "The kitchen light is on, and it's warm in the living room."

  @Test func `aligned word positions match those of the voice`() async throws {
    let engine = FliteEngine()
    let request = engine.makeRequest(text: Self.text, voiceId: "slt")
    var sound = PCMBuffer(format: AudioFormat(sampleRate: 16_000))
    var truth: [SpeechPosition] = []
    for try await chunk in engine.streamAudio(request: request, configuration: .default) {
      sound.append(chunk.audio)
      truth += chunk.positions.filter { $0.kind == .word }
    }
    let found = await PocketSphinxAligner().positions(of: Self.text, in: sound)
    try #require(found.count == truth.count)
    for (found, known) in zip(found, truth) {
      #expect(found.textRange.lowerBound == known.textRange.lowerBound)
      #expect(abs((found.audioOffset - known.audioOffset).seconds) < 0.1)
    }
    // Truncated audio has the positions of its own words only.
    let half = await PocketSphinxAligner().positions(
      of: Self.text, in: sound.slice(0..<sound.frameCount / 2))
    #expect(half.count > 3 && half.count < truth.count)
    #expect(await PocketSphinxAligner().positions(of: "…", in: sound).isEmpty)
    #expect(await PocketSphinxAligner().positions(of: "kubernetes 7", in: sound).count <= 2)
  }

  @Test func `an interruption of a voice without word positions finds the words that were heard`()
    async throws
  {
    try await VirtualWorld.run { world in
      let ears = ScriptedRecogniser()
      let speaker = MemorySpeaker(clock: world.clock)
      let loop = VoiceLoop(
        recognition: SpeechRecognitionEngine(provider: ears),
        responder: ScriptedResponder([.init(stringLiteral: Self.text), "Good."]),
        synthesis: SpeechSynthesisEngine(
          provider: VoiceSynthesisProvider(
            engine: SilentAboutWords(), configuration: .default, output: speaker)),
        configuration: VoiceLoopConfiguration(voice: "slt", aligner: PocketSphinxAligner()),
        clock: world.clock)
      try await loop.start()
      ears.begin()
      ears.finish("hello")
      try await world.clock.sleep(until: world.clock.time + .milliseconds(1_600))
      ears.begin()
      ears.finish("thank you")
      try await world.clock.sleep(until: world.clock.time + .seconds(5))
      await loop.stop()
      let reply = loop.history.entries[1]
      #expect(reply.text == "The kitchen light is on" || reply.text == "The kitchen light is")
      #expect(reply.isInterrupted)
      #expect(loop.history.last(.reply) == "Good.")
    }
  }
}

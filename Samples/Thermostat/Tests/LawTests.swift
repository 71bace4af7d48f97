import SpeechTesting
import Testing
import ThermostatApp

/// What this app could bring along, and what is promised of it: here the toolkit's own.
@Suite(.serialized) struct LawTests {
  @Test func `the voice keeps the laws of voices`() async throws {
    try await VoiceEngineConformance(FliteEngine(), configuration: .default).run()
  }

  @Test func `the ear keeps the laws of decoders`() async throws {
    let grammar = try Thermostat.commands.jsgfText()
    try await DecoderConformance<PocketSphinxDecoder>(
      configuration: PocketSphinxConfiguration(search: .grammar(grammar)),
      speech: try await Speaker(.flite, voice: "slt").say("how warm is it"),
      words: "how warm is it"
    ).run()
  }
}

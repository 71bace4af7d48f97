import SpeechTesting
import Testing
import ThermostatApp

/// The conformance suites, here for the toolkit's own voice and decoder; an app tests its own
/// types.
@Suite(.serialized) struct LawTests {
  @Test func `the voice keeps the laws of voices`() async throws {
    try await VoiceEngineConformance(FliteEngine(), configuration: .default).run()
  }

  @Test func `the recogniser keeps the laws of decoders`() async throws {
    let grammar = try Thermostat.commands.jsgfText()
    try await DecoderConformance<PocketSphinxDecoder>(
      configuration: PocketSphinxConfiguration(search: .grammar(grammar)),
      speech: try await Speaker(.flite, voice: "slt").say("how warm is it"),
      words: "how warm is it"
    ).run()
  }
}

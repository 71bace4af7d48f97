import SpeechCore
import SpeechEspeak
import Testing

struct EspeakConfigurationTests {
  @Test func `it is made as the specification prints it`() {
    let configuration = EspeakConfiguration(
      rate: 0.5, pitchMultiplier: 1.0, volume: 1.0, preUtteranceDelay: 0.0,
      postUtteranceDelay: 0.0)
    #expect(configuration == .default)
    #expect(configuration.rate == 0.5)
    #expect(configuration.pitchMultiplier == 1)
    #expect(configuration.volume == 1)
    #expect(configuration.preUtteranceDelay == 0)
    #expect(configuration.postUtteranceDelay == 0)
    #expect(configuration.style == .default)
  }

  @Test func `values stay within their ranges`() {
    let configuration = EspeakConfiguration(
      rate: 7, pitchMultiplier: 0, volume: -.infinity, preUtteranceDelay: -3,
      postUtteranceDelay: 1e9, pitchRange: .nan, wordGap: .seconds(100))
    #expect(configuration.rate == 1)
    #expect(configuration.pitchMultiplier == 0.5)
    #expect(configuration.volume == 0)
    #expect(configuration.preUtteranceDelay == 0)
    #expect(configuration.postUtteranceDelay == 60)
    #expect(configuration.pitchRange == 0.5)
    #expect(configuration.wordGap == .seconds(2))
    #expect(EspeakConfiguration(rate: .nan).rate == 0.5)
  }

  @Test func `values that are set later cannot harm`() async throws {
    var configuration = EspeakConfiguration.default
    configuration.rate = 99
    configuration.pitchMultiplier = .nan
    configuration.volume = -4
    configuration.preUtteranceDelay = -.infinity
    configuration.pitchRange = 1e30
    configuration.wordGap = .seconds(-5)
    configuration.capitals = .pitch(.max)
    #expect(try await speak("Hello there.", configuration).seconds > 0.2)
  }
}

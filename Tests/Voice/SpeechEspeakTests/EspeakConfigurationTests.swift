#if Espeak
import SpeechCore
import SpeechEspeak
import Testing

struct EspeakConfigurationTests {
  @Test func `it is made as the specification prints it`() {
    let configuration = EspeakConfiguration(
      rate: 0.5, pitchMultiplier: 1.0, volume: 1.0, preUtteranceDelay: 0.0,
      postUtteranceDelay: 0.0)
    #expect(configuration == .default)
    #expect(configuration.style.rate == 0.5)
    #expect(configuration.style.pitchMultiplier == 1)
    #expect(configuration.style.volume == 1)
    #expect(configuration.style.preUtteranceDelay == 0)
    #expect(configuration.style.postUtteranceDelay == 0)
    #expect(configuration.style == .default)
  }

  @Test func `values stay within their ranges`() {
    let configuration = EspeakConfiguration(
      rate: 7, pitchMultiplier: 0, volume: -.infinity, preUtteranceDelay: -3,
      postUtteranceDelay: 1e9, pitchRange: .nan, wordGap: .seconds(100))
    #expect(configuration.style.rate == 1)
    #expect(configuration.style.pitchMultiplier == 0.5)
    #expect(configuration.style.volume == 0)
    #expect(configuration.style.preUtteranceDelay == 0)
    #expect(configuration.style.postUtteranceDelay == 60)
    #expect(configuration.pitchRange == 0.5)
    #expect(configuration.wordGap == .seconds(2))
    #expect(EspeakConfiguration(rate: .nan).style.rate == 0.5)
  }

  @Test func `values that are set later are limited too`() async throws {
    var configuration = EspeakConfiguration.default
    configuration.style.rate = 99
    configuration.style.pitchMultiplier = .nan
    configuration.style.volume = -4
    configuration.style.preUtteranceDelay = -.infinity
    configuration.pitchRange = 1e30
    configuration.wordGap = .seconds(-5)
    configuration.capitals = .pitch(.max)
    #expect(try await speak("Hello there.", configuration).seconds > 0.2)
  }
}
#endif

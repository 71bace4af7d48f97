import SpeechKit
import Testing

/// The code that the article about wake words prints.
@MainActor struct WakeWordsArticleTests {
  private static let lights = "#JSGF V1.0; grammar lights; public <order> = lights ( on | off );"

  @Test func `the threshold of a phrase can be set`() {
    let phrases: [KeyPhrase] = ["computer", KeyPhrase("hey jarvis", minimumConfidence: 0.8)]
    let provider = PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(search: .keyPhrases(phrases)))
    #expect(!provider.isListening)
  }

  @Test func `a decoder waits for a key phrase and then for a command`() {
    let lights = Self.lights
    let wake = WakeWordConfiguration<PocketSphinxDecoder, PocketSphinxDecoder>(
      spotter: PocketSphinxConfiguration(search: .keyPhrases(["computer"]))
        .withStandardPronunciations,
      command: PocketSphinxConfiguration(search: .grammar(lights), acceptance: .recommended)
        .withStandardPronunciations,
      window: .seconds(8))
    let listener = DecoderRecognitionProvider<PocketSphinxWakeWordDecoder>(
      configuration: wake, input: PortAudioMicrophone())
    #expect(!listener.isListening)
  }
}

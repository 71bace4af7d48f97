import SpeechTesting
import TestSupport
import Testing

@testable import SpeechWhisper

/// Alone in its process, because a law counts what the process holds.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WhisperConformanceTests {
  @Test func `the decoder keeps the laws of decoders`() async throws {
    var broken = try WhisperFixture.configuration
    broken.model = "/nonexistent/ggml-tiny.en.bin"
    let suite = DecoderConformance<WhisperDecoder>(
      configuration: try WhisperFixture.configuration, broken: broken,
      speech: try await WhisperFixture.spoken("The weather is going to be sunny tomorrow."),
      words: "the weather is going to be sunny tomorrow")
    try await suite.run()
  }
}

import SpeechAudio
import SpeechCore
import SpeechWhisper
import TestSupport
import Testing

@testable import SpeechChecking

/// Whisper's words, checked with the real acoustic model.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
@DecodingQueue
struct CheckedWhisperTests {
  @Test func `what Whisper hears in speech is kept`() async throws {
    let heard = try await decoder(WordCheck()).hear(
      .utterance(try await Spoken.audio("The weather is going to be sunny tomorrow.")))
    #expect(heard.utterance?.text == "The weather is going to be sunny tomorrow.")
  }

  @Test func `Whisper learns a name`() async throws {
    let check = WordCheck(vocabulary: ["Grafana"], pronunciations: Spoken.pronunciations)
    let audio = try await Spoken.audio("Please open grafana before the meeting.")
    let heard = try await decoder(check).hear(.utterance(audio))
    #expect(heard.utterance?.text.contains("Grafana") == true)
  }

  private func decoder(_ check: WordCheck) throws -> CheckedDecoder<WhisperDecoder> {
    var configuration = WhisperConfiguration(model: try Peers.whisperModel.path)
    configuration.library = try Peers.whisperLibrary
    return try CheckedDecoder(
      configuration: CheckedConfiguration(configuration, check: check), locale: Spoken.english)
  }
}

import SpeechKit
import SpeechWyoming

// What the article about the Wyoming protocol shows.

func transcribingElsewhere(_ recording: URL) async throws -> Transcript {
  var configuration = WyomingConfiguration(engine: "localhost:10300")
  configuration.timeout = .seconds(20)
  let transcriber = SpeechTranscriber<WyomingDecoder>(configuration: configuration)
  let transcript = try await transcriber.transcribe(recording)
  return transcript
}

func waitingElsewhere(
  lights: String
) -> WakeWordConfiguration<WyomingDecoder, PocketSphinxDecoder> {
  let wake = WakeWordConfiguration<WyomingDecoder, PocketSphinxDecoder>(
    spotter: WyomingConfiguration(engine: "localhost:10400", keyPhrases: ["okay nabu"]),
    command: PocketSphinxConfiguration(search: .grammar(lights), acceptance: .recommended)
      .withStandardPronunciations)
  return wake
}

func speakingElsewhere() async throws -> PCMBuffer {
  let voice = WyomingVoice()
  let audio = try await voice.render(
    voice.makeRequest(text: "Good morning.", options: ["speaker": "2"]),
    configuration: WyomingVoiceConfiguration(engine: "localhost:10200"))
  return audio
}

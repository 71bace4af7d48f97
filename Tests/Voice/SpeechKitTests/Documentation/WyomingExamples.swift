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

func speakingElsewhere() async throws -> PCMBuffer {
  let voice = WyomingVoice()
  let audio = try await voice.render(
    voice.makeRequest(text: "Good morning.", options: ["speaker": "2"]),
    configuration: WyomingVoiceConfiguration(engine: "localhost:10200"))
  return audio
}

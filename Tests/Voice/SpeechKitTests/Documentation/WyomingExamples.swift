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

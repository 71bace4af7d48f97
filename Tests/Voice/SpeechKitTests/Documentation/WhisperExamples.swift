import SpeechChecking
import SpeechKit
import SpeechWhisper

// What the article about Whisper shows.

func transcribing(_ recording: URL) async throws -> Transcript {
  var configuration = WhisperConfiguration(
    model: "tiny.en", vocabulary: ["SpeechKit", "PocketSphinx"])
  configuration.punctuates = false
  let transcriber = SpeechTranscriber<WhisperDecoder>(configuration: configuration)
  let transcript = try await transcriber.transcribe(recording)
  return transcript
}

private func commandsAndFreeSpeech(grammar: URL) {
  let commands = PocketSphinxConfiguration(
    search: .grammarFile(grammar), acceptance: .recommended)
  let both = SpeechTranscriber<CascadeDecoder<PocketSphinxDecoder, WhisperDecoder>>(
    configuration: .init(command: commands, other: WhisperConfiguration()))
  _ = both
}

func checking(_ recording: URL) async throws -> Transcript {
  let check = WordCheck(
    vocabulary: ["Siobhan", "Grafana"], pronunciations: SpeechCatalog.current.pronunciations)
  let recogniser = try SpeechCatalog.current.recogniser("whisper").checked(by: check)
  let transcript = try await recogniser.makeTranscriber().transcribe(recording)
  return transcript
}

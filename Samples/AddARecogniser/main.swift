// Adds a recogniser to the catalogue, and uses it by name and by type.
//
//   swift run AddARecogniser call.wav    prints the keys in a recording
//   swift run AddARecogniser             listens to the microphone until Ctrl-C
import SpeechKit

do {
  SpeechCatalog.add(.tones)

  if CommandLine.arguments.count > 1 {
    let recogniser = try SpeechCatalog.current.recogniser("tones")
    let transcript = try await recogniser.makeTranscriber()
      .transcribe(URL(filePath: CommandLine.arguments[1]))
    print("\(recogniser.name): \(transcript.text)")
  } else {
    let engine = SpeechRecognitionEngine(providerType: SpeechRecognitionProviderType(.tones))
    try await engine.startListening()
    for await result in engine.results where result.isFinal { print(result.text) }
    if let error = engine.error { throw error }
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}

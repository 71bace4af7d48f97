// Transcribes speech live, until the audio ends or Ctrl-C.
//
//   swift run Dictate          from the microphone
//   swift run Dictate FILE     from an audio file, in real time
import Foundation
import SpeechKit

var input: any AudioInput = PortAudioMicrophone()
if let path = CommandLine.arguments.dropFirst().first {
  input = AudioFileInput(URL(filePath: path), clock: RealClock())
}
let engine = SpeechRecognitionEngine(
  provider: PocketSphinxRecognitionProvider(
    configuration: PocketSphinxConfiguration(), input: input))
do {
  try await engine.startListening(locale: Locale(identifier: "en-US"))
  for await result in engine.results {
    print(result.isFinal ? result.text : "  … \(result.text)")
  }
  if let error = engine.error { throw error }
} catch {
  print(error.localizedDescription)
  exit(1)
}

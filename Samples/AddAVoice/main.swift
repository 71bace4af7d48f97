// Adds a voice to the catalogue, and uses it by name and by type.
//
//   swift run AddAVoice "555 0123"             plays the tones
//   swift run AddAVoice "555 0123" call.wav    writes them to a file
import SpeechKit

do {
  SpeechCatalog.add(.tones)

  let text = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "555 0123"
  let voice = try await SpeechCatalog.current.voice("tones")
  if CommandLine.arguments.count > 2 {
    let audio = try await voice.render(text)
    try AudioFile.write(audio, to: URL(filePath: CommandLine.arguments[2]))
    print("\(voice.name): \(audio.duration / .seconds(1)) s of tones")
  } else {
    let engine = SpeechSynthesisEngine(providerType: SpeechSynthesisProviderType(.tones))
    try await engine.speak(text: text)
    print("Spoken by \(engine.providerType.rawValue)")
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}

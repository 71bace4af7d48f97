// Speaks a text, or writes the speech to an audio file.
//
//   swift run Speak TEXT
//   swift run Speak TEXT FILE     the extension determines the format: wav, flac, ogg, opus or mp3
import Foundation
import SpeechKit

let arguments = CommandLine.arguments
guard arguments.count == 2 || arguments.count == 3 else {
  print("usage: Speak TEXT [FILE]")
  exit(64)
}
do {
  if arguments.count == 2 {
    try await SpeechSynthesisEngine(providerType: .flite).speak(text: arguments[1])
  } else {
    let voice = FliteEngine()
    let length = try await voice.write(
      voice.makeRequest(text: arguments[1]), configuration: .default,
      to: URL(filePath: arguments[2]))
    print("\(arguments[2]): \(String(format: "%.1f s", length / .seconds(1)))")
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}

// Asks a question aloud, recognises the answer and replies.
//
//   swift run Converse               with microphone and loudspeaker
//   swift run Converse --offline     in memory, with a second voice that answers
import Foundation
import SpeechKit

let tea = "#JSGF V1.0; grammar tea; public <answer> = yes [ please ] | no [ thank you ];"

do {
  let room = try await CommandLine.arguments.contains("--offline") ? Room.inMemory() : Room()
  let mouth = SpeechSynthesisEngine(output: room.speaker)
  let ears = SpeechRecognitionEngine(
    provider: PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(search: .grammar(tea)), input: room.microphone))

  print("Asking: Would you like some tea?")
  try await mouth.speak(text: "Would you like some tea?")
  room.answer()
  try await ears.startListening(locale: Locale(identifier: "en-US"))
  for await result in ears.results where result.isFinal {
    ears.stopListening()
    let reply = result.text.hasPrefix("yes") ? "Here you are." : "Another time, then."
    print("Heard: \(result.text)\nSaying: \(reply)")
    try await mouth.speak(text: reply)
  }
  if let error = ears.error { throw error }
} catch {
  print(error.localizedDescription)
  exit(1)
}

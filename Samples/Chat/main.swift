// Talks with a model. Interrupt it as you would a person.
//
//   swift run Chat               with OpenAI; the key is the one of `speechkit credentials set openai`
//   swift run Chat --offline     in memory and without a network: a second voice is the user, and the
//                                answers are those of this machine
import AIServices
import SampleRoom
import SpeechCloud
import SpeechKit

do {
  let service: any ChatService = SampleRoom.isOffline ? OnDeviceTextProvider() : OpenAIProvider()
  try await SampleRoom.hold(saying: ["What time is it?"]) { room in
    VoiceLoop(
      recognition: SpeechRecognitionEngine(
        provider: PocketSphinxRecognitionProvider(
          configuration: PocketSphinxConfiguration(), input: room.microphone)),
      responder: ChatResponder(service),
      synthesis: SpeechSynthesisEngine(output: room.speaker),
      configuration: VoiceLoopConfiguration(endRule: .english()), clock: room.clock)
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}

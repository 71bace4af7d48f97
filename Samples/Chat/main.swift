// Talks with a chat model, which can be interrupted.
//
//   swift run Chat               with OpenAI, after `speechkit credentials set openai` swift run
//   Chat --offline     in memory and without a network, with a second voice as the user and answers
//   from this machine
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

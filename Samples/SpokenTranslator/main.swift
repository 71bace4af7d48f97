// Translates spoken English into spoken German.
//
//   swift run SpokenTranslator               with OpenAI, after `speechkit credentials set openai`
//   swift run SpokenTranslator --offline     in memory, with a second voice as the user and a
//   scripted translation
import AIServices
import SampleRoom
import SpeechCloud
import SpeechKit

let rules =
  "Translate what you are given into German. Answer with the translation and nothing else."

// Of the local voices only those of eSpeak NG speak German.
#if Espeak
let voice: String? = "de"
#else
let voice: String? = nil
#endif

do {
  let responder: any Responder =
    SampleRoom.isOffline
    ? ScriptedResponder(["Das Wetter ist heute schön."])
    : ChatResponder(OpenAIProvider(), systemPrompt: rules, maximumHistory: 0)
  try await SampleRoom.hold(saying: ["The weather is nice today."]) { room in
    VoiceLoop(
      recognition: SpeechRecognitionEngine(
        provider: PocketSphinxRecognitionProvider(
          configuration: PocketSphinxConfiguration(), input: room.microphone)),
      responder: responder,
      synthesis: SpeechSynthesisEngine(output: room.speaker),
      configuration: VoiceLoopConfiguration(voice: voice, endRule: .english()), clock: room.clock)
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}

// Switches lights by voice: "Computer, turn on the kitchen light."
//
//   swift run LightSwitch               with microphone and loudspeaker
//   swift run LightSwitch --offline     in memory, with a second voice as the user
import SampleRoom
import SpeechKit

let home = CommandGrammar("home") {
  Intent("switch_light") {
    "turn"
    Slot("state") {
      "on"; "off"
    }
    "the"
    Slot("room") {
      "kitchen"; "bedroom"
    }
    "light"
  }
}
var rules = TurnRules()
rules.attention = .wakeWord(["computer"], window: .seconds(8))

do {
  let understood = home.inConversation(rules)
  let heard = PocketSphinxConfiguration(search: .grammar(try understood.jsgfText()))
  let responder = try IntentResponder(home).on("switch_light") { match in
    let (room, state) = (match["room"]?.code ?? "", match["state"]?.code ?? "")
    print("  * the light in the \(room) goes \(state)")
    return "The \(room) light is \(state)."
  }
  let configuration = VoiceLoopConfiguration(
    rules: rules, endRule: .grammar(try CommandMatcher(understood)))

  try await SampleRoom.hold(
    saying: ["Computer, turn on the kitchen light.", "Turn off the kitchen light."]
  ) { room in
    VoiceLoop(
      recognition: SpeechRecognitionEngine(
        provider: PocketSphinxRecognitionProvider(configuration: heard, input: room.microphone)),
      responder: responder,
      synthesis: SpeechSynthesisEngine(output: room.speaker),
      configuration: configuration, clock: room.clock)
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}

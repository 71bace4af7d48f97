// A kitchen timer: "Set a timer for twenty seconds." It speaks by itself when the time is up.
//
//   swift run KitchenTimer               with microphone and loudspeaker swift run KitchenTimer
//   --offline     in memory and virtual time, with a second voice as the user
import SampleRoom
import SpeechKit

let kitchen = CommandGrammar("kitchen") {
  Intent("set_timer") {
    "set a timer for"
    Slot("time", .duration)
  }
}

do {
  let understood = kitchen.inConversation(TurnRules())
  let heard = PocketSphinxConfiguration(search: .grammar(try understood.jsgfText()))
  let configuration = VoiceLoopConfiguration(endRule: .grammar(try CommandMatcher(understood)))

  try await SampleRoom.hold(saying: ["Set a timer for twenty seconds."], quiet: .seconds(25)) {
    room in
    let timers = Timers(clock: room.clock)
    let loop = VoiceLoop(
      recognition: SpeechRecognitionEngine(
        provider: PocketSphinxRecognitionProvider(configuration: heard, input: room.microphone)),
      responder: try IntentResponder(kitchen).on("set_timer") { match in
        guard let slot = match["time"], let time = slot.duration else { return "For how long?" }
        await timers.set(time, "Your \(slot.text) are over.")
        return "All right, \(slot.text)."
      },
      synthesis: SpeechSynthesisEngine(output: room.speaker),
      configuration: configuration, clock: room.clock)
    timers.loop = loop
    return loop
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}

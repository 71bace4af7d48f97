// A thermostat by voice: "Set the kitchen to twenty two degrees."
//
//   swift run Thermostat               at the microphone and the loudspeakers
//   swift run Thermostat --offline     in memory: a second voice is the user
//   swift test --filter ThermostatTests
import SampleRoom
import SpeechKit
import ThermostatApp

do {
  let thermostat = Thermostat()
  try await SampleRoom.hold(saying: ["Set the kitchen to twenty two degrees.", "How warm is it?"]) {
    room in
    try thermostat.makeLoop(
      microphone: room.microphone, speaker: room.speaker, clock: room.clock)
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}

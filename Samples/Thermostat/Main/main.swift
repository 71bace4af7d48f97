// A thermostat that is controlled by voice: "Set the kitchen to twenty two degrees."
//
//   swift run Thermostat               with microphone and loudspeaker
//   swift run Thermostat --offline     in memory, with a second voice as the user
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

import SpeechKit

/// What the conversation is held through: real devices, or devices in memory with a guest who answers.
struct Room {
  var microphone: any AudioInput = PortAudioMicrophone()
  var speaker: any AudioOutput = PortAudioSpeaker()
  /// Called when the question has been asked.
  var answer: () -> Void = {}

  /// A room in memory. Its clock runs as fast as the program can follow.
  static func inMemory() async throws -> Room {
    let guest = FliteEngine()
    let words = try await guest.render(
      guest.makeRequest(text: "Yes, please."), configuration: .default)
    let audio = try words.resampled(to: .recognition)
    let clock = VirtualClock()
    let microphone = ScriptedMicrophone(clock: clock)
    return Room(microphone: microphone, speaker: MemorySpeaker(clock: clock)) {
      microphone.say(audio, after: .milliseconds(500))
    }
  }
}

import SpeechKit

/// The devices of the conversation: real ones, or devices in memory with a voice that answers.
struct Room {
  var microphone: any AudioInput = PortAudioMicrophone()
  var speaker: any AudioOutput = PortAudioSpeaker()
  /// A function that is called after the question.
  var answer: () -> Void = {}

  /// Creates devices in memory, in virtual time.
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

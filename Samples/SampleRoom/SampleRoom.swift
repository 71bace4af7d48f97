import SpeechKit
import SpeechTesting

/// The devices of a sample: microphone and loudspeaker, or with `--offline` devices in memory and
/// in virtual time, with a second voice as the user.
public struct SampleRoom: Sendable {
  /// The microphone with the user's speech.
  public var microphone: any AudioInput
  /// The loudspeaker for the replies.
  public var speaker: any AudioOutput
  /// The clock of both devices.
  public var clock: any DeviceClock

  /// True if the sample was started with `--offline`.
  public static let isOffline = CommandLine.arguments.contains("--offline")

  /// Runs and prints a conversation: until Ctrl-C, or offline until all lines have been answered.
  ///
  /// - Parameters:
  ///   - lines: The user's lines offline, each of which is said after the reply to the one before.
  ///   - quiet: The silence after which an offline conversation ends.
  public static func hold(
    saying lines: [String], quiet: Duration = .seconds(3),
    makeLoop: @escaping @MainActor @Sendable (SampleRoom) throws -> VoiceLoop
  ) async throws {
    if isOffline {
      try await VirtualWorld.run { world in
        try await holdOffline(world, lines, quiet, makeLoop)
      }
    } else {
      let devices = EchoCancellingDevices(
        microphone: PortAudioMicrophone(), speaker: PortAudioSpeaker())
      let loop = try await makeLoop(
        SampleRoom(microphone: devices.microphone, speaker: devices.speaker, clock: RealClock()))
      let events = await loop.events
      try await loop.start()
      for await event in events { show(event) }
    }
  }

  @MainActor private static func holdOffline(
    _ world: VirtualWorld, _ lines: [String], _ quiet: Duration,
    _ makeLoop: @MainActor (SampleRoom) throws -> VoiceLoop
  ) async throws {
    // Real rooms have some noise.
    let microphone = ScriptedMicrophone(AudioScript().withNoise(level: -66), clock: world.clock)
    let loop = try makeLoop(
      SampleRoom(
        microphone: microphone, speaker: MemorySpeaker(clock: world.clock), clock: world.clock))
    let user = FliteEngine()
    var rest = lines[...]
    var ending: Task<Void, any Error>?
    let events = loop.events
    try await loop.start()
    for await event in events {
      show(event)
      switch event.kind {
      case .asleep where rest.count == lines.count, .listening:
        ending?.cancel()
        if let line = rest.popFirst() {
          let words = try await user.render(
            user.makeRequest(text: line, voiceId: "slt"), configuration: .default)
          microphone.say(try words.resampled(to: .recognition), after: .seconds(1))
        } else {
          ending = Task {
            try await world.clock.sleep(until: world.clock.time + quiet)
            await loop.stop()
          }
        }
      default: break
      }
    }
  }

  private static func show(_ event: VoiceLoopEvent) {
    switch event.kind {
    case .awake: print("awake")
    case .userFinal(let text): print("user: \(text)")
    case .replyFinished(let text): print("reply: \(text)")
    case .interrupted(let heard, _): print("reply: \(heard) …")
    case .replyFailed(let reason): print("no reply: \(reason)")
    case .voiceFailed(let error): print("no speech: \(error.localizedDescription)")
    default: break
    }
  }
}

import SpeechKit
import SpeechTesting

/// What a sample's conversation is held through: the microphone and the loudspeakers; or with `--offline`
/// devices in memory and in virtual time, where a second voice plays the user.
public struct SampleRoom: Sendable {
  /// Hears the user.
  public var microphone: any AudioInput
  /// Speaks.
  public var speaker: any AudioOutput
  /// The time of both.
  public var clock: any DeviceClock

  /// Whether the sample was started with `--offline`.
  public static let isOffline = CommandLine.arguments.contains("--offline")

  /// Holds a conversation and prints it: until Ctrl-C, or offline until the lines are said and answered.
  ///
  /// - Parameters:
  ///   - lines: what the user says offline, each when the one before was answered.
  ///   - quiet: how long nobody says anything offline until that is the end.
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
    // A room is never quite silent.
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
    case .voiceFailed(let error): print("no sound: \(error.localizedDescription)")
    default: break
    }
  }
}

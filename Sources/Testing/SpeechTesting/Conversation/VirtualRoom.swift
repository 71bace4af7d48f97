import SpeechConcurrency
import SpeechLab

/// A place in a virtual world with a microphone and a loudspeaker, in which people speak when they are told to.
///
/// ```swift
/// try await VirtualWorld.run { world in
///   let room = VirtualRoom(world, surroundings: AcousticScene(isTelephone: true), seed: 7)
///   let ears = SpeechRecognitionEngine(
///     provider: PocketSphinxRecognitionProvider(configuration: .init(), input: room.microphone))
///   try await ears.startListening(locale: Locale(identifier: "en-US"))
///   try await room.say("turn on the light", by: Speaker(.flite, voice: "slt"), after: .seconds(1))
///   …
/// }
/// ```
/// It serves whatever takes an `AudioInput`, an `AudioOutput` and a `DeviceClock`, not only voice loops.
@MainActor
public final class VirtualRoom {
  /// Hears the people, and all that is between them and it.
  public let microphone: any AudioInput
  /// What is played on it is kept, and comes back to the microphone where the surroundings have an echo.
  public let speaker: MemorySpeaker
  /// The time of both.
  public let clock: VirtualClock
  /// What was said so far, with times on the clock.
  public private(set) var lines: [SpokenLine] = []

  private let air: ScriptedMicrophone
  private let surroundings: AcousticScene
  private var listeners: [@MainActor (SpokenLine) -> Void] = []

  /// A room.
  ///
  /// - Parameters:
  ///   - script: what is heard without anybody's being told to, and when the microphone is away; a room is
  ///     never quite silent unless it says so.
  ///   - speechLevel: how loud those speak against whom noise is reckoned.
  ///   - seed: all that is chance in the surroundings depends on it alone.
  public init(
    _ world: VirtualWorld, surroundings: AcousticScene = AcousticScene(),
    script: AudioScript = AudioScript().withNoise(level: -66),
    speechLevel: Double = Speaker.defaultLevel, seed: UInt64 = 1
  ) {
    clock = world.clock
    self.surroundings = surroundings
    air = ScriptedMicrophone(script, clock: world.clock)
    speaker = MemorySpeaker(clock: world.clock)
    var input: any AudioInput = air
    if let echo = surroundings.echo {
      input = EchoingRoom(
        speaker: speaker, microphone: input, clock: world.clock,
        acoustics: EchoingRoom.Acoustics(
          level: echo.level, reverberation: echo.reverberation, delay: echo.delay, seed: seed))
    }
    microphone = SceneInput(
      input, surroundings, clock: world.clock, speechLevel: speechLevel, seed: seed)
  }

  /// Somebody says that, so much later than now.
  ///
  /// - Throws: what the voice throws.
  @discardableResult
  public func say(
    _ words: String, by speaker: Speaker, named person: String? = nil,
    after delay: Duration = .zero
  ) async throws -> SpokenLine {
    play(
      try await speaker.say(words), saying: words, by: person ?? speaker.name, after: delay)
  }

  /// A recording of somebody is heard, so much later than now.
  ///
  /// - Parameter sound: in the recognisers' format.
  @discardableResult
  public func play(
    _ sound: PCMBuffer, saying words: String, by person: String, after delay: Duration = .zero
  ) -> SpokenLine {
    let start = clock.time + delay
    let line = SpokenLine(
      person: person, words: words, start: start, end: start + sound.duration)
    air.say(surroundings.room?.heard(sound) ?? sound, after: delay)
    lines.append(line)
    for listener in listeners { listener(line) }
    return line
  }

  /// Has a recogniser hear every word as it was said, without sound: where the conversation is tested and not
  /// the ear.
  ///
  /// - Parameter endpoint: how long after the last word the end of an utterance is noticed.
  public func tellWords(to recogniser: ScriptedRecogniser, endpoint: Duration = .milliseconds(500))
  {
    let clock = clock
    listeners.append { line in
      guard !line.words.isEmpty else { return }
      Task {
        try await clock.sleep(until: line.start)
        recogniser.begin()
        try await clock.sleep(until: line.end)
        recogniser.pause()
        try await clock.sleep(until: line.end + endpoint)
        recogniser.finish(line.words, silence: endpoint / .seconds(1))
      }
    }
  }
}

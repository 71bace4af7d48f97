import SpeechConcurrency
import SpeechLab

/// A room in virtual time with a microphone and a loudspeaker, in which people speak on demand.
///
/// ```swift
/// try await VirtualWorld.run { world in
///   let room = VirtualRoom(world, scene: AcousticScene(isTelephone: true), seed: 7)
///   let ears = SpeechRecognitionEngine(
///     provider: PocketSphinxRecognitionProvider(configuration: .init(), input: room.microphone))
///   try await ears.startListening(locale: Locale(identifier: "en-US"))
///   try await room.say("turn on the light", by: Speaker(.flite, voice: "slt"), after: .seconds(1))
///   …
/// }
/// ```
/// It works with anything that takes an `AudioInput`, an `AudioOutput` and a `DeviceClock`, not
/// only with voice loops.
@MainActor
public final class VirtualRoom {
  /// A microphone that hears the people through the acoustic scene.
  public let microphone: any AudioInput
  /// A loudspeaker whose audio is kept, and returns to the microphone if the scene has an echo.
  public let speaker: MemorySpeaker
  /// The output for the app's voice: the loudspeaker, joined with the microphone if the scene
  /// cancels the echo.
  public let output: any AudioOutput
  /// The clock of both devices.
  public let clock: VirtualClock
  /// The lines so far, with times on the clock.
  public private(set) var lines: [SpokenLine] = []

  private let air: ScriptedMicrophone
  private let scene: AcousticScene
  private var listeners: [@MainActor (SpokenLine) -> Void] = []
  /// The number of lines with words that a scripted recogniser is hearing.
  private var speaking = 0

  /// Creates a room.
  ///
  /// - Parameters:
  ///   - script: Audio that is heard without a speaker, and periods without a microphone. By
  /// default the room has a faint noise.
  ///   - speechLevel: The level of the speech to which the noise is relative.
  ///   - seed: The seed of all random choices of the scene.
  public init(
    _ world: VirtualWorld, scene: AcousticScene = AcousticScene(),
    script: AudioScript = AudioScript().withNoise(level: -66),
    speechLevel: Double = Speaker.defaultLevel, seed: UInt64 = 1
  ) {
    clock = world.clock
    self.scene = scene
    air = ScriptedMicrophone(script, clock: world.clock)
    speaker = MemorySpeaker(clock: world.clock)
    var input: any AudioInput = air
    if var echo = scene.echo {
      echo.seed = seed
      input = EchoingRoom(
        speaker: speaker, microphone: input, clock: world.clock,
        acoustics: echo)
    }
    let captured = SceneInput(
      input, scene, clock: world.clock, speechLevel: speechLevel, seed: seed)
    let devices = VoiceLoopDevices(
      microphone: captured, speaker: speaker, cancelsEcho: scene.cancelsEcho, clock: world.clock)
    (microphone, output) = (devices.microphone, devices.speaker)
  }

  /// Lets a person speak after a delay.
  ///
  /// - Throws: The errors of the voice.
  @discardableResult
  public func say(
    _ words: String, by speaker: Speaker, named person: String? = nil,
    after delay: Duration = .zero
  ) async throws -> SpokenLine {
    play(
      try await speaker.say(words), saying: words, by: person ?? speaker.name, after: delay)
  }

  /// Plays a recording of a person after a delay.
  ///
  /// - Parameter sound: The recording in the recognisers' format.
  @discardableResult
  public func play(
    _ sound: PCMBuffer, saying words: String, by person: String, after delay: Duration = .zero
  ) -> SpokenLine {
    let start = clock.time + delay
    let line = SpokenLine(
      person: person, words: words, start: start, end: start + sound.duration)
    air.say(scene.room?.heard(sound) ?? sound, after: delay)
    lines.append(line)
    for listener in listeners { listener(line) }
    return line
  }

  /// Passes every word to a scripted recogniser as it is spoken, without audio, for tests of a
  /// conversation rather than of recognition. Of a sound without words it understands nothing.
  ///
  /// - Parameter endpoint: The delay after the last word with which the end of an utterance is
  ///   noticed.
  public func tellWords(to recogniser: ScriptedRecogniser, endpoint: Duration = .milliseconds(500))
  {
    let clock = clock
    listeners.append { [weak self] line in
      let words = line.words.isEmpty ? nil : line.words
      Task {
        try await clock.sleep(until: line.start)
        if words != nil { self?.speaking += 1 }
        recogniser.begin()
        try await clock.sleep(until: line.end)
        // A sound during speech does not end with a silence.
        if words != nil || self?.speaking == 0 { recogniser.pause() }
        try await clock.sleep(until: line.end + endpoint)
        if words != nil {
          self?.speaking -= 1
        } else if self?.speaking != 0 {
          return
        }
        recogniser.finish(words, silence: endpoint / .seconds(1))
      }
    }
  }
}

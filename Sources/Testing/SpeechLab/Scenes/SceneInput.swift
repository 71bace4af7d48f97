import SpeechConcurrency

/// A microphone in an acoustic scene: its own audio with the noise, the defects and the line of the
/// scene.
///
/// ```swift
/// let microphone = SceneInput(
///   ScriptedMicrophone(script, clock: world.clock), scene, clock: world.clock, seed: 7)
/// ```
/// It adds neither room nor echo: a voice gets its room where it speaks
/// (`RoomAcoustics.heard(_:)`), and `EchoingRoom` adds the loudspeaker. `VirtualRoom` combines all
/// of them.
public struct SceneInput: AudioInput {
  private let input: any AudioInput
  private let scene: AcousticScene
  private let speechLevel: Double
  private let seed: UInt64
  private let clock: any DeviceClock
  private let origin: Duration

  /// Places an input in an acoustic scene.
  ///
  /// - Parameter speechLevel: The level of the speech to which the noise is relative.
  public init(
    _ input: any AudioInput, _ scene: AcousticScene, clock: any DeviceClock,
    speechLevel: Double = Speaker.defaultLevel, seed: UInt64
  ) {
    self.input = input
    self.scene = scene
    self.clock = clock
    self.speechLevel = speechLevel
    self.seed = seed
    origin = clock.time
  }

  /// The name of the input.
  public var name: String { input.name }

  /// Checks the availability of the input.
  public func checkAvailability() async throws { try await input.checkAvailability() }

  /// Starts to capture audio in the scene.
  public func open() async throws -> any AudioCapture {
    // The noise continues while the microphone is closed.
    let elapsed = clock.time - origin
    let capture = try await input.open()
    let path = Guarded(
      try await SoundPath(
        scene, speechLevel: speechLevel, seed: seed,
        position: capture.format.frames(in: elapsed), format: capture.format))
    return MappedCapture(capture) { event in
      switch event {
      case .audio(let sound):
        let heard = path.withLock { $0.process(sound) }
        // A slower clock occasionally has no sample yet.
        return heard.isEmpty ? nil : .audio(heard)
      case .gap(let frames):
        path.withLock { $0.skip(frames) }
        return event
      case .interrupted, .resumed: return event
      }
    }
  }
}

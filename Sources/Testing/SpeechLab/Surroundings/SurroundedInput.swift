import SpeechConcurrency

/// A microphone in surroundings: what it hears by itself, with the noise, the faults and the line of the place.
///
/// ```swift
/// let microphone = SurroundedInput(
///   ScriptedMicrophone(script, clock: world.clock), surroundings, clock: world.clock, seed: 7)
/// ```
/// Room and echo are not its part: a voice gets its room where it speaks (`RoomAcoustics.heard(_:)`), and
/// `EchoingRoom` brings the loudspeaker in. `VirtualRoom` puts all of it together.
public struct SurroundedInput: AudioInput {
  private let input: any AudioInput
  private let surroundings: Surroundings
  private let speechLevel: Double
  private let seed: UInt64
  private let clock: any DeviceClock
  private let origin: Duration

  /// That input in these surroundings.
  ///
  /// - Parameter speechLevel: how loud those speak against whom noise is reckoned.
  public init(
    _ input: any AudioInput, _ surroundings: Surroundings, clock: any DeviceClock,
    speechLevel: Double = Speaker.usualLevel, seed: UInt64
  ) {
    self.input = input
    self.surroundings = surroundings
    self.clock = clock
    self.speechLevel = speechLevel
    self.seed = seed
    origin = clock.time
  }

  /// The input's.
  public var name: String { input.name }

  /// Asks the input.
  public func checkAvailability() async throws { try await input.checkAvailability() }

  /// Starts capturing.
  public func open() async throws -> any AudioCapture {
    // The noise goes on while nobody listens.
    let elapsed = clock.time - origin
    let capture = try await input.open()
    let path = try await SoundPath(
      surroundings, speechLevel: speechLevel, seed: seed,
      position: capture.format.frames(in: elapsed), format: capture.format)
    return SurroundedCapture(capture, path)
  }
}

private final class SurroundedCapture: AudioCapture {
  private let capture: any AudioCapture
  private let path: Guarded<SoundPath>

  init(_ capture: any AudioCapture, _ path: SoundPath) {
    self.capture = capture
    self.path = Guarded(path)
  }

  var format: AudioFormat { capture.format }
  var statistics: AudioStatistics { capture.statistics }

  func read() async throws -> AudioCaptureEvent? {
    while let event = try await capture.read() {
      switch event {
      case .audio(let sound):
        let heard = path.withLock { $0.process(sound) }
        // A slower clock has nothing yet, now and then.
        if !heard.isEmpty { return .audio(heard) }
      case .gap(let frames):
        path.withLock { $0.skip(frames) }
        return event
      case .interrupted, .resumed: return event
      }
    }
    return nil
  }

  func stop() { capture.stop() }
}

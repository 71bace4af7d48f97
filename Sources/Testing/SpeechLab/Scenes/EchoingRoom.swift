import SpeechConcurrency

/// A room in which a microphone hears a loudspeaker, both in memory. The played audio reaches the
/// microphone later, quieter and with reverberation.
///
/// ```swift
/// let clock = VirtualClock()
/// let speaker = MemorySpeaker(clock: clock)
/// let room = EchoingRoom(
///   speaker: speaker, microphone: ScriptedMicrophone(script, clock: clock), clock: clock)
/// ```
/// The room is the microphone: open it instead of the one that it was made of. Equal seeds give
/// equal rooms.
public struct EchoingRoom: AudioInput {
  /// The acoustics of a room.
  public struct Acoustics: Sendable, Hashable, Codable {
    /// The level of the echo relative to the played audio, in decibels; negative.
    public var level: Double
    /// The time in which the reverberation decays by 60 dB.
    public var reverberation: Duration
    /// The delay from the loudspeaker to the microphone, at least 2 ms.
    public var delay: Duration
    /// The seed, which distinguishes rooms with the same numbers.
    public var seed: UInt64

    /// Creates a room; by default a small one with the loudspeaker near the microphone.
    public init(
      level: Double = -12, reverberation: Duration = .milliseconds(100),
      delay: Duration = .milliseconds(5), seed: UInt64 = 1
    ) {
      self.level = level
      self.reverberation = reverberation
      self.delay = delay
      self.seed = seed
    }

    /// Returns the impulse response after the delay: the direct sound, and decaying noise of equal
    /// energy.
    func response(sampleRate: Int) -> [Float] {
      var random = SeededNumbers(seed: seed)
      let decay = -3 * log(10) / (reverberation / .seconds(1) * Double(sampleRate))
      // Until it has decayed by 50 dB.
      let length = max(2, Int(-50 / 20 * log(10) / decay))
      var taps = (0..<length).map { index -> Double in
        // A sum of uniform numbers approximates a normal distribution well enough.
        var noise = 0.0
        for _ in 0..<4 { noise += Double.random(in: -1...1, using: &random) }
        return noise * exp(decay * Double(index))
      }
      taps[0] = 0
      let energy = taps.reduce(0) { $0 + $1 * $1 }
      taps[0] = energy.squareRoot()
      let gain = pow(10, level / 20) / (2 * energy).squareRoot()
      return taps.map { Float($0 * gain) }
    }
  }

  private let speaker: MemorySpeaker
  private let microphone: any AudioInput
  private let clock: any DeviceClock
  private let speakerPace: Double
  private let acoustics: Acoustics

  /// Connects a loudspeaker and a microphone.
  ///
  /// - Parameters:
  ///   - clock: The clock of the microphone.
  ///   - speakerPace: The seconds of the loudspeaker's clock in a second of the microphone's; see
  /// `DriftingClock`.
  public init(
    speaker: MemorySpeaker, microphone: any AudioInput, clock: any DeviceClock,
    speakerPace: Double = 1, acoustics: Acoustics = Acoustics()
  ) {
    self.speaker = speaker
    self.microphone = microphone
    self.clock = clock
    self.speakerPace = speakerPace
    self.acoustics = acoustics
  }

  /// The name of the microphone.
  public var name: String { microphone.name }

  /// Opens the microphone in the room.
  public func open() async throws -> any AudioCapture {
    let capture = try await microphone.open()
    let echo = Guarded(
      EchoRenderer(
        speaker: speaker, format: capture.format, openedAt: clock.time, pace: speakerPace,
        acoustics: acoustics))
    return MappedCapture(capture) { event in
      echo.withLock { echo in
        switch event {
        case .audio(var buffer):
          buffer.mix(echo.next(buffer.frameCount), at: 0)
          return .audio(buffer)
        case .gap(let frames):
          echo.skip(frames)
          return event
        case .interrupted, .resumed: return event
        }
      }
    }
  }
}

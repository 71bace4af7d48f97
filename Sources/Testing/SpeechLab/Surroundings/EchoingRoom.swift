import SpeechConcurrency

/// A room in which a microphone hears a loudspeaker, both in memory: what the speaker has played comes to
/// the microphone later, softer and with reverberation.
///
/// ```swift
/// let clock = VirtualClock()
/// let speaker = MemorySpeaker(clock: clock)
/// let room = EchoingRoom(
///   speaker: speaker, microphone: ScriptedMicrophone(script, clock: clock), clock: clock)
/// ```
/// The room is the microphone: open it instead of the one it was made of. The same seed gives the same
/// room.
public struct EchoingRoom: AudioInput {
  /// How a room sounds.
  public struct Acoustics: Sendable {
    /// How much softer the echo comes in than it was played, in decibels; negative.
    public var level: Double
    /// In which time the reverberation becomes 60 dB softer.
    public var reverberation: Duration
    /// How long the sound takes from the speaker to the microphone, at least 2 ms.
    public var delay: Duration
    /// What makes two rooms of the same numbers differ.
    public var seed: UInt64

    /// A room; by default a small one, with the speaker near the microphone.
    public init(
      level: Double = -12, reverberation: Duration = .milliseconds(100),
      delay: Duration = .milliseconds(5), seed: UInt64 = 1
    ) {
      self.level = level
      self.reverberation = reverberation
      self.delay = delay
      self.seed = seed
    }

    /// What a click in the speaker becomes at the microphone, after the delay: the direct sound, and
    /// noise that decays, with as much energy again.
    func response(sampleRate: Int) -> [Float] {
      var random = SeededNumbers(seed: seed)
      let decay = -3 * log(10) / (reverberation / .seconds(1) * Double(sampleRate))
      // Until it is 50 dB down.
      let length = max(2, Int(-50 / 20 * log(10) / decay))
      var taps = (0..<length).map { index -> Double in
        // A sum of uniform numbers is near enough to normal ones.
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

  /// Joins a speaker and a microphone.
  ///
  /// - Parameters:
  ///   - clock: the microphone's.
  ///   - speakerPace: seconds of the speaker's clock in a second of the microphone's; see
  ///     `DriftingClock`.
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

  /// The microphone's.
  public var name: String { microphone.name }

  /// Opens the microphone in the room.
  public func open() async throws -> any AudioCapture {
    let capture = try await microphone.open()
    return EchoingCapture(
      inner: capture,
      echo: EchoRenderer(
        speaker: speaker, format: capture.format, openedAt: clock.time, pace: speakerPace,
        acoustics: acoustics))
  }
}

private final class EchoingCapture: AudioCapture {
  private let inner: any AudioCapture
  private let echo: Guarded<EchoRenderer>

  init(inner: any AudioCapture, echo: EchoRenderer) {
    self.inner = inner
    self.echo = Guarded(echo)
  }

  var format: AudioFormat { inner.format }
  var statistics: AudioStatistics { inner.statistics }

  func read() async throws -> AudioCaptureEvent? {
    let event = try await inner.read()
    return echo.withLock { echo in
      switch event {
      case .audio(var buffer)?:
        buffer.mix(echo.next(buffer.frameCount), at: 0)
        return .audio(buffer)
      case .gap(let frames)?:
        echo.skip(frames)
        return event
      default:
        return event
      }
    }
  }

  func stop() { inner.stop() }
}

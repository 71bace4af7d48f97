import Foundation
import SpeechAudio
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
      var random = SplitMix(seed: seed)
      let decay = -3 * log(10) / (reverberation / .seconds(1) * Double(sampleRate))
      // Until it is 50 dB down.
      let length = max(2, Int(-50 / 20 * log(10) / decay))
      var taps = (0..<length).map { index -> Double in
        // A sum of uniform numbers is near enough to normal ones.
        let noise = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) }
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

  public var name: String { microphone.name }

  public func open() async throws -> any AudioCapture {
    let capture = try await microphone.open()
    return EchoingCapture(
      inner: capture,
      echo: EchoRenderer(
        speaker: speaker, format: capture.format, openedAt: clock.time, pace: speakerPace,
        acoustics: acoustics))
  }
}

/// A clock that runs faster or slower than another: the quartz of another device.
public struct DriftingClock: DeviceClock {
  private struct Timer: DeviceTimer {
    let inner: any DeviceTimer
    let pace: Double

    func sleep(until time: Duration) async throws { try await inner.sleep(until: time / pace) }
    func cancel() { inner.cancel() }
  }

  private let base: any DeviceClock
  /// Its seconds in a second of the base.
  public let pace: Double

  /// A clock that is so many parts in a million faster.
  public init(_ base: any DeviceClock, partsPerMillion: Double) {
    self.base = base
    pace = 1 + partsPerMillion * 1e-6
  }

  public var time: Duration { base.time * pace }

  public func sleep(until time: Duration) async throws { try await base.sleep(until: time / pace) }

  public func makeTimer() -> any DeviceTimer { Timer(inner: base.makeTimer(), pace: pace) }
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

/// Makes the echo piece by piece.
private struct EchoRenderer {
  /// How far the interpolation reaches, in samples to either side.
  private static let reach = 16
  /// In how many places between two samples the interpolation is known.
  private static let phases = 512

  private let speaker: MemorySpeaker
  private let format: AudioFormat
  private let openedAt: Double
  private let pace: Double
  private let delay: Double
  private let response: [Float]
  private var position = 0
  /// What was played for as long as the response is.
  private var history: [Float]
  /// By the rate of what is played.
  private var kernels: [Int: [Float]] = [:]

  init(
    speaker: MemorySpeaker, format: AudioFormat, openedAt: Duration, pace: Double,
    acoustics: EchoingRoom.Acoustics
  ) {
    precondition(acoustics.delay >= .milliseconds(2), "a room has a delay of at least 2 ms")
    self.speaker = speaker
    self.format = format
    self.openedAt = openedAt / .seconds(1)
    self.pace = pace
    delay = acoustics.delay / .seconds(1)
    response = acoustics.response(sampleRate: format.sampleRate)
    history = [Float](repeating: 0, count: response.count - 1)
  }

  mutating func skip(_ frames: Int) {
    history = [Float](repeating: 0, count: history.count)
    position += frames
  }

  mutating func next(_ count: Int) -> PCMBuffer {
    history += played(count)
    defer { history.removeFirst(count) }
    var sum = [Float](repeating: 0, count: count)
    let past = response.count - 1
    sum.withUnsafeMutableBufferPointer { sum in
      history.withUnsafeBufferPointer { history in
        response.withUnsafeBufferPointer { response in
          for delay in 0..<response.count {
            let gain = response[delay]
            let start = past - delay
            for index in 0..<count { sum[index] += gain * history[start + index] }
          }
        }
      }
    }
    return PCMBuffer(
      samples: sum.map { Int16(max(-32_768, min(32_767, $0.rounded()))) }, format: format)
  }

  /// What the speaker played, as it was a delay ago, at the microphone's rate.
  private mutating func played(_ count: Int) -> [Float] {
    let rate = Double(format.sampleRate)
    let start = openedAt + Double(position) / rate - delay
    position += count
    var result = [Float](repeating: 0, count: count)
    // Some more on both sides, for the interpolation.
    let margin = 0.0015
    let from = Duration.seconds((start - margin) * pace)
    let end = Duration.seconds((start + Double(count) / rate + margin) * pace)
    for sound in speaker.sounds(between: max(.zero, from), and: end) {
      let soundRate = Double(sound.audio.format.sampleRate)
      let kernel = kernel(for: sound.audio.format.sampleRate)
      let first = (start * pace - sound.start / .seconds(1)) * soundRate
      let step = pace * soundRate / rate
      sound.audio.samples.withUnsafeBufferPointer { samples in
        for index in 0..<count {
          let place = first + Double(index) * step
          let nearest = Int(place.rounded(.down))
          let phase = Int((place - Double(nearest)) * Double(Self.phases))
          let low = max(0, nearest - Self.reach + 1)
          let high = min(samples.count - 1, nearest + Self.reach)
          guard low <= high else { continue }
          var value: Float = 0
          let base = phase * Self.reach * 2 - (nearest - Self.reach + 1)
          for sample in low...high { value += Float(samples[sample]) * kernel[base + sample] }
          result[index] += value
        }
      }
    }
    return result
  }

  /// A low-pass filter between the samples, for every phase.
  private mutating func kernel(for soundRate: Int) -> [Float] {
    if let known = kernels[soundRate] { return known }
    let cutoff = min(1, 0.92 * Double(format.sampleRate) / Double(soundRate))
    var kernel: [Float] = []
    for phase in 0..<Self.phases {
      for tap in 0..<Self.reach * 2 {
        let distance =
          Double(phase) / Double(Self.phases) - Double(tap - Self.reach + 1)
        let angle = Double.pi * distance * cutoff
        let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
        let window = 0.5 + 0.5 * cos(.pi * distance / Double(Self.reach))
        kernel.append(Float(cutoff * sinc * max(0, window)))
      }
    }
    kernels[soundRate] = kernel
    return kernel
  }
}

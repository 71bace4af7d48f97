import SpeechConcurrency

/// The effect of a room on a voice: the direct sound, followed by decaying reverberation.
///
/// ```swift
/// let kitchen = RoomAcoustics(reverberation: .milliseconds(500), seed: 3)
/// let heard = kitchen.heard(spoken)   // longer than the voice by the reverberation
/// ```
/// The same numbers and the same seed give the same room.
public struct RoomAcoustics: Sendable, Hashable, Codable {
  /// The time in which the reverberation decays by 60 dB (T60).
  public var reverberation: Duration
  /// The level of the direct sound above all reverberation, in decibels. It falls with the
  /// speaker's distance.
  public var directness: Double
  /// The seed, which distinguishes rooms with the same numbers.
  public var seed: UInt64

  /// Creates a room; by default the speaker is about a metre away.
  public init(reverberation: Duration, directness: Double = 3, seed: UInt64 = 1) {
    self.reverberation = reverberation
    self.directness = directness
    self.seed = seed
  }

  /// The time until the first reflection arrives.
  private static let firstReflection = Duration.milliseconds(4)

  /// Returns the impulse response at a sample rate. The first sample is the direct sound.
  public func response(sampleRate: Int) -> [Double] {
    let seconds = reverberation / .seconds(1)
    guard seconds > 0 else { return [1] }
    var random = SeededNumbers(seed: seed, part: "room")
    let rate = Double(sampleRate)
    let start = Int(Self.firstReflection / .seconds(1) * rate)
    // Until it has decayed by 70 dB, so that a measurement over 60 dB is complete.
    let length = start + max(1, Int(seconds * rate * 70 / 60))
    let decay = -3 * log(10) / (seconds * rate)
    var taps = [Double](repeating: 0, count: length)
    for index in start..<length {
      // A sum of uniform numbers approximates a normal distribution well enough.
      let noise = (0..<4).reduce(0.0) { sum, _ in sum + 2 * random.fraction() - 1 }
      taps[index] = noise * exp(decay * Double(index - start))
    }
    let energy = taps.reduce(0) { $0 + $1 * $1 }
    let gain = (pow(10, -directness / 10) / energy).squareRoot()
    taps = taps.map { $0 * gain }
    taps[0] = 1
    return taps
  }

  /// Returns the voice as it is heard in the room, followed by its reverberation. The level of the
  /// voice itself stays.
  public func heard(_ voice: PCMBuffer) -> PCMBuffer {
    let response = response(sampleRate: voice.format.sampleRate)
    let samples = voice.samples.map(Double.init).convolved(with: response)
    return PCMBuffer(samples: samples.map { Int16(nearest: $0) }, format: voice.format)
  }
}

extension Int16 {
  /// Creates the nearest sample to a value, limited to full scale.
  init(nearest value: Double) {
    self = value >= 32_767 ? 32_767 : value <= -32_768 ? -32_768 : Int16(value.rounded())
  }
}

import SpeechConcurrency

/// How a room changes a voice on its way to the microphone: the voice itself, and after it reverberation that
/// dies away.
///
/// ```swift
/// let kitchen = RoomAcoustics(reverberation: .milliseconds(500), seed: 3)
/// let heard = kitchen.heard(spoken)   // as long as the voice and the reverberation behind it
/// ```
/// The same numbers and the same seed give the same room.
public struct RoomAcoustics: Sendable, Hashable, Codable {
  /// The time in which the reverberation becomes 60 dB softer (T60).
  public var reverberation: Duration
  /// How much stronger the voice is than all of its reverberation, in decibels: less, the farther the
  /// speaker stands.
  public var directness: Double
  /// What makes two rooms of the same numbers differ.
  public var seed: UInt64

  /// A room; by default the speaker is about a metre away.
  public init(reverberation: Duration, directness: Double = 3, seed: UInt64 = 1) {
    self.reverberation = reverberation
    self.directness = directness
    self.seed = seed
  }

  /// The time after which the first of the reverberation comes.
  private static let firstReflection = Duration.milliseconds(4)

  /// What a click becomes, at that rate: the first sample is the voice itself.
  public func response(sampleRate: Int) -> [Double] {
    let seconds = reverberation / .seconds(1)
    guard seconds > 0 else { return [1] }
    var random = SeededNumbers(seed: seed, part: "room")
    let rate = Double(sampleRate)
    let start = Int(Self.firstReflection / .seconds(1) * rate)
    // Until it is 70 dB down, so that what is measured over 60 dB is all there.
    let length = start + max(1, Int(seconds * rate * 70 / 60))
    let decay = -3 * log(10) / (seconds * rate)
    var taps = [Double](repeating: 0, count: length)
    for index in start..<length {
      // A sum of uniform numbers is near enough to normal ones.
      let noise = (0..<4).reduce(0.0) { sum, _ in sum + 2 * random.fraction() - 1 }
      taps[index] = noise * exp(decay * Double(index - start))
    }
    let energy = taps.reduce(0) { $0 + $1 * $1 }
    let gain = (pow(10, -directness / 10) / energy).squareRoot()
    taps = taps.map { $0 * gain }
    taps[0] = 1
    return taps
  }

  /// The voice as it is heard in the room, with its reverberation behind it. The voice itself keeps its
  /// level.
  public func heard(_ voice: PCMBuffer) -> PCMBuffer {
    let response = response(sampleRate: voice.format.sampleRate)
    let samples = voice.samples.map(Double.init).convolved(with: response)
    return PCMBuffer(samples: samples.map { Int16(nearest: $0) }, format: voice.format)
  }
}

extension Int16 {
  /// The nearest sample to that value; full scale beyond it.
  init(nearest value: Double) {
    self = value >= 32_767 ? 32_767 : value <= -32_768 ? -32_768 : Int16(value.rounded())
  }
}

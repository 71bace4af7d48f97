import SpeechConcurrency
import SpeechText

/// A kind of noise beside the speaker.
///
/// ```swift
/// let noise = try await Noise.babble.samples(16_000, seed: 1)
/// ```
public enum Noise: String, Sendable, Hashable, Codable, CaseIterable {
  /// Equal power at all frequencies: a hiss.
  case white
  /// Equal power in each octave: wind, a fan.
  case pink
  /// A mains hum of 50 Hz with its overtones.
  case hum
  /// Six people who speak at once.
  case babble

  /// Returns samples at 16 kHz with a mean power of one. Equal seeds give equal samples.
  ///
  /// - Throws: The errors of the voices that speak babble.
  public func samples(_ count: Int, seed: UInt64) async throws -> [Double] {
    var random = SeededNumbers(seed: seed, part: rawValue)
    let raw: [Double] =
      switch self {
      case .white: (0..<count).map { _ in 2 * random.fraction() - 1 }
      case .pink: Self.pink(count, &random)
      case .hum: Self.hum(count, &random)
      case .babble: try await Babble.shared.samples(count, from: &random)
      }
    let power = raw.reduce(0) { $0 + $1 * $1 } / Double(max(count, 1))
    guard power > 0 else { return raw }
    let factor = 1 / power.squareRoot()
    return raw.map { $0 * factor }
  }

  /// White noise through a filter that falls 3 dB an octave, within half a decibel from 10 Hz on
  /// (by Paul Kellet).
  private static func pink(_ count: Int, _ random: inout SeededNumbers) -> [Double] {
    let poles = [0.99886, 0.99332, 0.96900, 0.86650, 0.55000, -0.7616]
    let gains = [0.0555179, 0.0750759, 0.1538520, 0.3104856, 0.5329522, -0.0168980]
    var states = [Double](repeating: 0, count: poles.count)
    var last = 0.0
    func next() -> Double {
      let white = 2 * random.fraction() - 1
      for index in poles.indices {
        states[index] = poles[index] * states[index] + white * gains[index]
      }
      defer { last = white * 0.115926 }
      return states.reduce(0, +) + last + white * 0.5362
    }
    // Runs until the slowest pole has forgotten its start.
    for _ in 0..<8_000 { _ = next() }
    return (0..<count).map { _ in next() }
  }

  private static func hum(_ count: Int, _ random: inout SeededNumbers) -> [Double] {
    let tones = (1...8).map { number in
      (
        step: 2 * Double.pi * 50 * Double(number) / 16_000, phase: 2 * .pi * random.fraction(),
        strength: 1 / Double(number)
      )
    }
    return (0..<count).map { frame in
      tones.reduce(0) { $0 + $1.strength * sin($1.step * Double(frame) + $1.phase) }
    }
  }
}

/// Noise at a level relative to the speech, or none.
///
/// ```swift
/// let levels: [NoiseLevel] = [.clean, NoiseLevel(.pink, decibels: 10)]
/// ```
public struct NoiseLevel: Sendable, Hashable, Codable {
  /// The kind of noise; `nil` for none.
  public var noise: Noise?
  /// The level of the speech above the noise in decibels, without pauses; 0 without noise.
  public var decibels: Double

  /// Creates noise that is quieter than the speech by the given number of decibels.
  public init(_ noise: Noise, decibels: Double) {
    self.noise = noise
    self.decibels = decibels
  }

  private init() {
    noise = nil
    decibels = 0
  }

  /// Silence instead of noise.
  public static let clean = NoiseLevel()

  /// A description: “clean” or “pink 10 dB”.
  public var name: String {
    noise.map { "\($0.rawValue) \(decibels.brief) dB" } ?? "clean"
  }
}

/// The talk of six people, produced once. All babble is cut from it.
private actor Babble {
  static let shared = Babble()
  private static let length = 20 * 16_000
  private var talk: Task<[Double], any Error>?

  func samples(_ count: Int, from random: inout SeededNumbers) async throws -> [Double] {
    let talk = self.talk ?? Task { try await Self.make() }
    self.talk = talk
    let all: [Double]
    do {
      all = try await talk.value
    } catch {
      // The next request tries again.
      self.talk = nil
      throw error
    }
    let start = random.next(all.count)
    return (0..<count).map { all[(start + $0) % all.count] }
  }

  private static func make() async throws -> [Double] {
    var sum = [Double](repeating: 0, count: length)
    var random = SeededNumbers(seed: 0, part: "babble")
    for speaker in Speaker.cast(6, seed: 0) {
      var frame = random.next(length)
      var spoken = 0
      for line in OrdinaryEnglish.sentences.shuffled(using: &random) where spoken < length {
        let sound = try await speaker.say(line)
        for sample in sound.samples.prefix(length - spoken) {
          sum[frame % length] += Double(sample)
          frame += 1
        }
        spoken += sound.frameCount
      }
    }
    return sum
  }
}

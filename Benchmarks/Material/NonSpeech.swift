import Foundation
import SpeechKit

/// Audio without speech: silence, noises and music, the same in every run.
enum NonSpeech: String, CaseIterable {
  case silence
  case white = "white noise"
  case brown = "brown noise"
  case hum
  case wind
  case clicks
  case knocks
  case breath
  case beeps
  case organ
  case strings = "plucked strings"
  case drums

  /// A piece of a few seconds.
  func piece(_ number: Int) -> PCMBuffer {
    var random = SeededNumbers(seed: UInt64(number) &* 1_000 &+ UInt64(rawValue.utf8.count) &* 31)
    for byte in rawValue.utf8 { random = SeededNumbers(seed: random.next() ^ UInt64(byte)) }
    let count = Int(16_000 * Self.between(1.5, 8, &random))
    var samples = make(count, &random)
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(count)
    let level = self == .silence ? Self.between(-68, -55, &random) : Self.between(-45, -15, &random)
    let gain = 32_768 * pow(10, level / 20) / max(power, 1e-12).squareRoot()
    for index in samples.indices { samples[index] *= gain }
    return PCMBuffer(
      samples: samples.map { Int16(clamping: Int($0)) }, format: .recognition)
  }

  private static func between(
    _ low: Double, _ high: Double, _ random: inout SeededNumbers
  ) -> Double { Double.random(in: low...high, using: &random) }

  private func make(_ count: Int, _ random: inout SeededNumbers) -> [Double] {
    switch self {
    case .silence, .white: Self.noise(count, &random)
    case .brown: Self.smoothed(Self.noise(count, &random), 0.98)
    case .wind:
      zip(
        Self.smoothed(Self.noise(count, &random), 0.9),
        Self.smoothed(Self.noise(count, &random), 0.9998)
      ).map { $0 * abs($1) }
    case .hum:
      (0..<count).map { frame -> Double in
        let phase = Double(frame) * 2 * .pi * 50 / 16_000
        return (1...8).map { (harmonic: Int) -> Double in
          sin(phase * Double(harmonic)) / Double(harmonic)
        }.reduce(0, +)
      }
    case .clicks: Self.events(count, every: 0.17, &random) { Self.decaying(0.01, &$0) }
    case .knocks:
      Self.events(count, every: 0.5, &random) { Self.tone(Self.between(80, 400, &$0), 0.2, 25) }
    case .breath:
      Self.events(count, every: 2, &random) { random in
        let noise = Self.smoothed(Self.noise(16_000, &random), 0.5)
        return noise.enumerated().map { $1 * sin(Double($0) * .pi / 16_000) }
      }
    case .beeps:
      Self.events(count, every: 1, &random) { Self.tone(Self.between(400, 2_500, &$0), 0.3, 1) }
    case .organ:
      Self.events(count, every: 0.15, &random) { random in
        let root = Self.note(&random)
        var sum = [Double](repeating: 0, count: 12_800)
        for overtone in 1...6 {
          let tone = Self.tone(root * Double(overtone), 0.8, 2 + Double(overtone) / 2)
          for index in sum.indices { sum[index] += tone[index] / Double(overtone) }
        }
        return sum
      }
    case .strings: Self.events(count, every: 0.2, &random) { Self.plucked(Self.note(&$0), &$0) }
    case .drums:
      Self.events(count, every: 0.25, &random) { random in
        random.next(2) == 0 ? Self.tone(60, 0.25, 15) : Self.decaying(0.08, &random)
      }
    }
  }

  private static func noise(_ count: Int, _ random: inout SeededNumbers) -> [Double] {
    (0..<count).map { _ in between(-1, 1, &random) }
  }

  private static func smoothed(_ values: [Double], _ weight: Double) -> [Double] {
    var last = 0.0
    return values.map { value in
      last = last * weight + value * (1 - weight)
      return last
    }
  }

  /// Sounds at random times over a faint noise.
  private static func events(
    _ count: Int, every seconds: Double, _ random: inout SeededNumbers,
    make: (inout SeededNumbers) -> [Double]
  ) -> [Double] {
    var values = noise(count, &random).map { $0 * 0.005 }
    for _ in 0..<max(1, Int(Double(count) / 16_000 / seconds)) {
      let start = random.next(count)
      let level = between(0.3, 1, &random)
      for (index, value) in make(&random).enumerated() where start + index < count {
        values[start + index] += value * level
      }
    }
    return values
  }

  private static func decaying(_ seconds: Double, _ random: inout SeededNumbers) -> [Double] {
    noise(Int(seconds * 64_000), &random).enumerated().map { index, value in
      value * exp(-Double(index) / (seconds * 16_000))
    }
  }

  private static func tone(_ frequency: Double, _ seconds: Double, _ decay: Double) -> [Double] {
    (0..<Int(seconds * 16_000)).map { frame in
      let time = Double(frame) / 16_000
      return sin(time * 2 * .pi * frequency) * min(1, time / 0.01) * exp(-time * decay)
    }
  }

  private static func note(_ random: inout SeededNumbers) -> Double {
    220 * pow(2, Double([0, 2, 4, 5, 7, 9, 11, 12][random.next(8)] - 12 * random.next(2)) / 12)
  }

  private static func plucked(_ frequency: Double, _ random: inout SeededNumbers) -> [Double] {
    var string = noise(Int(16_000 / frequency), &random)
    return (0..<12_000).map { frame in
      let index = frame % string.count
      let value = string[index]
      string[index] = 0.498 * (value + string[(index + 1) % string.count])
      return value
    }
  }
}

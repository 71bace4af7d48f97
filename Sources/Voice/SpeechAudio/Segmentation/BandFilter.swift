import Foundation

/// A band-pass filter of two equal second-order sections.
struct BandFilter: Sendable {
  private let gain: Double
  private let a1: Double
  private let a2: Double
  private var first = (0.0, 0.0)
  private var second = (0.0, 0.0)

  /// The bands that speech is detected in, as far as the sample rate reaches: hum is below the
  /// first, and the noise of many rooms is in the first only.
  static func speechBands(sampleRate: Int) -> [BandFilter] {
    let edges: [(Double, Double)] = [
      (200, 400), (400, 800), (800, 1_400), (1_400, 2_200), (2_200, 3_400), (3_400, 6_000),
    ]
    let nyquist = Double(sampleRate) / 2
    let bands = edges.filter { $0.1 < nyquist * 0.9 }
    return (bands.isEmpty ? [(nyquist * 0.2, nyquist * 0.8)] : bands).map {
      BandFilter(from: $0.0, to: $0.1, sampleRate: sampleRate)
    }
  }

  init(from low: Double, to high: Double, sampleRate: Int) {
    let center = (low * high).squareRoot()
    let angle = 2 * Double.pi * center / Double(sampleRate)
    // Two sections in a row make the band narrower than one, by this factor.
    let alpha = sin(angle) * (high - low) / center / 2 / 0.644
    gain = alpha / (1 + alpha)
    a1 = -2 * cos(angle) / (1 + alpha)
    a2 = (1 - alpha) / (1 + alpha)
  }

  /// Returns the mean square of these samples within the band.
  mutating func energy(of samples: UnsafeBufferPointer<Double>) -> Double {
    var (s1, s2) = first
    var (t1, t2) = second
    var sum = 0.0
    for sample in samples {
      let input = sample * gain
      let middle = input + s1
      s1 = s2 - a1 * middle
      s2 = -input - a2 * middle
      let scaled = middle * gain
      let output = scaled + t1
      t1 = t2 - a1 * output
      t2 = -scaled - a2 * output
      sum += output * output
    }
    // Denormal numbers make a processor slow.
    first = abs(s1) + abs(s2) < 1e-30 ? (0, 0) : (s1, s2)
    second = abs(t1) + abs(t2) < 1e-30 ? (0, 0) : (t1, t2)
    return sum / Double(max(samples.count, 1))
  }
}

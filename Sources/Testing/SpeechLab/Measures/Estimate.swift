import SpeechConcurrency

/// A measurement on a sample, with its confidence interval.
///
/// ```swift
/// let delay = Estimate.median(of: [0.52, 0.61, 0.58, 0.55])
/// print(delay.value, delay.interval)
/// ```
public struct Estimate: Sendable, Hashable, Codable {
  /// The value measured on the sample.
  public var value: Double
  /// The 95 % confidence interval, by the bootstrap.
  public var interval: ClosedRange<Double>
  /// The number of observations.
  public var count: Int

  /// The number of samples that the bootstrap draws.
  static let draws = 2_000

  /// Returns the median of the values.
  public static func median(of values: [Double], seed: UInt64 = 1) -> Estimate {
    quantile(0.5, of: values, seed: seed)
  }

  /// Returns a quantile of the values, by linear interpolation.
  public static func quantile(
    _ share: Double, of values: [Double], seed: UInt64 = 1
  ) -> Estimate {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return Estimate(value: 0, interval: 0...0, count: 0) }
    var random = SeededNumbers(seed: seed, part: "quantile")
    let drawn = (0..<draws).map { _ in
      // Indices instead of values: the values are sorted once the indices are.
      quantile(share, of: (0..<sorted.count).map { _ in random.next(sorted.count) }.sorted()) {
        sorted[$0]
      }
    }
    return Estimate(
      value: quantile(share, of: sorted) { $0 }, interval: interval(of: drawn),
      count: sorted.count)
  }

  /// Returns a ratio of sums, such as errors by words. The bootstrap draws whole observations
  /// (utterances).
  public static func ratio(
    of parts: [Double], by wholes: [Double], seed: UInt64 = 1
  ) -> Estimate {
    precondition(parts.count == wholes.count, "each observation has a part and a whole")
    let whole = wholes.reduce(0, +)
    guard whole > 0 else { return Estimate(value: 0, interval: 0...0, count: parts.count) }
    var random = SeededNumbers(seed: seed, part: "ratio")
    let drawn = (0..<draws).map { _ -> Double in
      var (part, whole) = (0.0, 0.0)
      for _ in parts.indices {
        let index = random.next(parts.count)
        part += parts[index]
        whole += wholes[index]
      }
      return whole > 0 ? part / whole : 0
    }
    return Estimate(
      value: parts.reduce(0, +) / whole, interval: interval(of: drawn), count: parts.count)
  }

  /// Returns the middle 95 % of the drawn values.
  static func interval(of drawn: [Double]) -> ClosedRange<Double> {
    let sorted = drawn.sorted()
    return quantile(0.025, of: sorted) { $0 }...quantile(0.975, of: sorted) { $0 }
  }

  private static func quantile<Element>(
    _ share: Double, of sorted: [Element], value: (Element) -> Double
  ) -> Double {
    let place = share * Double(sorted.count - 1)
    let low = Int(place)
    let (below, above) = (value(sorted[low]), value(sorted[min(low + 1, sorted.count - 1)]))
    return below + (above - below) * (place - Double(low))
  }
}

/// A count out of a total, with a confidence interval of the share.
///
/// ```swift
/// let right = Proportion(18, of: 20)
/// right.share      // 0.9
/// right.interval   // 0.70...0.97
/// ```
public struct Proportion: Sendable, Hashable, Codable {
  /// The number of hits.
  public var count: Int
  /// The number of trials.
  public var total: Int

  /// Creates a proportion of hits in trials; by default of none.
  public init(_ count: Int = 0, of total: Int = 0) {
    self.count = count
    self.total = total
  }

  /// The share of hits; 0 without trials.
  public var share: Double { total == 0 ? 0 : Double(count) / Double(total) }

  /// The 95 % confidence interval of the share (Wilson's interval); everything from 0 to 1 without
  /// trials.
  ///
  /// It assumes independent trials, which several trials with one voice are not quite.
  public var interval: ClosedRange<Double> {
    guard total > 0 else { return 0...1 }
    let (number, z) = (Double(total), 1.959964)
    let middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    let half =
      z / (1 + z * z / number)
      * (share * (1 - share) / number + z * z / (4 * number * number)).squareRoot()
    // At the ends, rounding would leave a remainder that no or all hits exclude.
    let lower = count == 0 ? 0 : max(0, middle - half)
    return lower...(count == total ? 1 : max(lower, min(1, middle + half)))
  }
  /// The share with its interval: “90.0 % (69.9 to 97.2), 18 of 20”.
  var percent: String {
    String(
      format: "%.1f %% (%.1f to %.1f), %ld of %ld", share * 100, interval.lowerBound * 100,
      interval.upperBound * 100, count, total)
  }

  mutating func add(_ isHit: Bool) {
    count += isHit ? 1 : 0
    total += 1
  }
}

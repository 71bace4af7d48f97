/// So many of so many, and what that says of the share in general.
///
/// ```swift
/// let right = Proportion(18, of: 20)
/// right.share      // 0.9
/// right.interval   // 0.70...0.97
/// ```
public struct Proportion: Sendable, Hashable, Codable {
  /// How many.
  public var count: Int
  /// Of how many.
  public var total: Int

  /// A proportion.
  public init(_ count: Int, of total: Int) {
    self.count = count
    self.total = total
  }

  /// The share; 0 of nothing.
  public var share: Double { total == 0 ? 0 : Double(count) / Double(total) }

  /// Where the share lies in general, at 95 % (Wilson's interval): all that can be, if nothing was tried.
  ///
  /// It holds for trials that know nothing of each other; several trials with one voice do a little.
  public var interval: ClosedRange<Double> {
    guard total > 0 else { return 0...1 }
    let (number, z) = (Double(total), 1.959964)
    let middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    let half =
      z / (1 + z * z / number)
      * (share * (1 - share) / number + z * z / (4 * number * number)).squareRoot()
    // At the ends rounding would leave a hair of what is excluded by none or by all.
    let lower = count == 0 ? 0 : max(0, middle - half)
    return lower...(count == total ? 1 : max(lower, min(1, middle + half)))
  }
}

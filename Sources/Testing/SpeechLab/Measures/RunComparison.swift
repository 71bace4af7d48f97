import SpeechConcurrency

/// Whether one run of a recogniser made more errors than another on the same utterances, or whether chance could
/// have done it.
///
/// ```swift
/// let comparison = RunComparison(before: errorsBefore, after: errorsAfter, words: words)
/// if comparison.isWorse(atLeast: 0.01) { … }
/// ```
public struct RunComparison: Sendable, Hashable, Codable {
  /// The error rate after less the error rate before: above 0 it became worse.
  public var difference: Double
  /// Where the difference lies in 95 of 100 cases (paired bootstrap over utterances).
  public var interval: ClosedRange<Double>
  /// How likely so great a difference in either direction is by chance: the share of all ways to exchange both
  /// runs' errors, utterance by utterance, that part them as far (the exact test for matched pairs); 1 where
  /// nothing differs.
  public var chance: Double
  /// How many utterances were compared.
  public var count: Int

  /// Compares the errors in each utterance, in the same order, by its number of words.
  public init(before: [Int], after: [Int], words: [Int], seed: UInt64 = 1) {
    precondition(
      before.count == after.count && after.count == words.count, "the runs are of the same lines")
    let changes = zip(before, after).map { $1 - $0 }
    let estimate = Estimate.ratio(
      of: changes.map(Double.init), by: words.map(Double.init), seed: seed)
    difference = estimate.value
    interval = estimate.interval
    count = changes.count
    chance = Self.chance(of: changes)
  }

  /// Whether it became worse by at least that much, and chance has less than that to do with it.
  ///
  /// - Parameters:
  ///   - least: smaller changes are not worth stopping for; as a rate, 0.01 is one point.
  ///   - chance: how often an unchanged recogniser may be blamed.
  public func isWorse(atLeast least: Double = 0.01, chance limit: Double = 0.001) -> Bool {
    difference >= least && chance < limit && interval.lowerBound > 0
  }

  /// For so many utterances that differ all ways are counted.
  private static let mostCounted = 2_000

  /// Two-sided. Holds for any number of utterances, while the usual test by a normal distribution is too bold
  /// where few of them differ.
  private static func chance(of changes: [Int]) -> Double {
    let steps = changes.map(abs).filter { $0 > 0 }
    let reach = steps.reduce(0, +)
    let difference = abs(changes.reduce(0, +))
    guard difference > 0 else { return 1 }
    if steps.count > mostCounted {
      // With so many, the normal distribution says the same; sums lie two apart.
      let spread = Double(steps.reduce(0) { $0 + $1 * $1 })
      return erfc(Double(difference - 1) / (2 * spread).squareRoot())
    }
    // How likely each sum is, from the lowest on, if each change might as well have been the other way round.
    var likelihoods = [Double](repeating: 0, count: 2 * reach + 1)
    likelihoods[reach] = 1
    var bound = 0
    for step in steps {
      var next = [Double](repeating: 0, count: likelihoods.count)
      for sum in -bound...bound where likelihoods[reach + sum] > 0 {
        next[reach + sum - step] += likelihoods[reach + sum] / 2
        next[reach + sum + step] += likelihoods[reach + sum] / 2
      }
      likelihoods = next
      bound += step
    }
    return min(1, 2 * likelihoods[(reach + difference)...].reduce(0, +))
  }
}

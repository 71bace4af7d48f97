import SpeechConcurrency

/// A comparison of two runs of a recogniser on the same utterances, with the significance of the
/// difference.
///
/// ```swift
/// let comparison = RunComparison(before: errorsBefore, after: errorsAfter, words: words)
/// if comparison.isWorse(atLeast: 0.01) { … }
/// ```
public struct RunComparison: Sendable, Hashable, Codable {
  /// The error rate after minus the error rate before. Above 0 it became worse.
  public var difference: Double
  /// The 95 % confidence interval of the difference (paired bootstrap over utterances).
  public var interval: ClosedRange<Double>
  /// The p-value: the share of all ways to swap both runs' errors, utterance by utterance, that
  /// give at least this difference in either direction (the exact test for matched pairs); 1 if
  /// nothing differs.
  public var chance: Double
  /// The number of utterances that were compared.
  public var count: Int

  /// Compares the errors in each utterance, in the same order, relative to its number of words.
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

  /// Returns true if the error rate rose significantly and by at least the given amount.
  ///
  /// - Parameters:
  ///   - least: The smallest rise that matters; 0.01 is one percentage point.
  ///   - limit: The highest p-value that counts as significant.
  public func isWorse(atLeast least: Double = 0.01, chance limit: Double = 0.001) -> Bool {
    difference >= least && chance < limit && interval.lowerBound > 0
  }

  /// The number of differing utterances up to which all ways are enumerated.
  private static let mostCounted = 2_000

  /// Two-sided and exact for any number of utterances. A test by the normal distribution reports
  /// too many differences where few utterances differ.
  private static func chance(of changes: [Int]) -> Double {
    let steps = changes.map(abs).filter { $0 > 0 }
    let reach = steps.reduce(0, +)
    let difference = abs(changes.reduce(0, +))
    guard difference > 0 else { return 1 }
    if steps.count > mostCounted {
      // With that many utterances the normal distribution is accurate; sums differ by two.
      let spread = Double(steps.reduce(0) { $0 + $1 * $1 })
      return erfc(Double(difference - 1) / (2 * spread).squareRoot())
    }
    // The probability of each sum, from the lowest on, if each change were as likely in the other
    // direction.
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

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
  /// How likely so great a difference in either direction is by chance, by the matched pairs test (MAPSSWE with
  /// the utterance as segment); 1 where nothing differs.
  public var chance: Double
  /// How many utterances were compared.
  public var count: Int

  /// Compares the errors in each utterance, in the same order, by its number of words.
  public init(before: [Int], after: [Int], words: [Int], seed: UInt64 = 1) {
    precondition(
      before.count == after.count && after.count == words.count, "the runs are of the same lines")
    let changes = zip(before, after).map { Double($1 - $0) }
    let estimate = Estimate.ratio(of: changes, by: words.map(Double.init), seed: seed)
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

  /// Two-sided, of the mean change by its standard error, as a normal number; for a few utterances it errs on
  /// the bold side, which `isWorse` makes good with the bootstrap and its small limit.
  private static func chance(of changes: [Double]) -> Double {
    let number = Double(changes.count)
    guard number > 1 else { return 1 }
    let mean = changes.reduce(0, +) / number
    let variance = changes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (number - 1)
    guard mean != 0 else { return 1 }
    guard variance > 0 else { return 0 }
    return erfc(abs(mean) / (variance / number).squareRoot() / 2.0.squareRoot())
  }
}

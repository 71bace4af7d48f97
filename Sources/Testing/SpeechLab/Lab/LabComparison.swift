/// A recogniser compared with its baseline.
public struct LabComparison: Sendable, Hashable, Codable {
  /// The name of the recogniser.
  public var name: String
  /// The change; `nil` if the baseline has not heard the same utterances.
  public var change: RunComparison?
  /// True if the change is a regression.
  public var isWorse: Bool
  /// The comparison in one line of text.
  public var text: String

  /// The verdict in a word, with a sign.
  var verdict: String { isWorse ? "✘ worse" : change == nil ? "– not compared" : "✔ not worse" }
}

extension LabReport {
  /// Compares the report with a baseline, over the utterances that both have.
  ///
  /// - Parameter least: The smallest increase of the error rate that counts as a regression; one
  ///   point by default.
  public func compared(with baseline: LabReport, atLeast least: Double = 0.01) -> [LabComparison] {
    recognisers.map { recogniser in
      let name = recogniser.name
      func notCompared(_ reason: String, isWorse: Bool = false) -> LabComparison {
        LabComparison(name: name, isWorse: isWorse, text: "\(name): \(reason)")
      }
      if let failure = recogniser.failure {
        return notCompared("not compared, because it failed: \(failure)")
      }
      guard let old = baseline.recognisers.first(where: { $0.name == name }) else {
        return notCompared("not in the baseline")
      }
      if let failure = old.failure {
        return notCompared("not compared, because it failed in the baseline: \(failure)")
      }
      let known = Dictionary(old.trials.map { ($0.key, $0) }) { first, _ in first }
      let pairs = recogniser.trials.compactMap { trial in known[trial.key].map { ($0, trial) } }
      guard !pairs.isEmpty else {
        return notCompared(
          "the baseline has none of these utterances. Save a new one.", isWorse: true)
      }
      let change = RunComparison(
        before: pairs.map(\.0.words.errors), after: pairs.map(\.1.words.errors),
        words: pairs.map(\.1.words.count))
      let isWorse = change.isWorse(atLeast: least)
      return LabComparison(
        name: name, change: change, isWorse: isWorse,
        text: String(
          format: "%@: %+.2f points (%+.2f to %+.2f), p = %.3g, %d utterances: %@", name,
          change.difference * 100, change.interval.lowerBound * 100,
          change.interval.upperBound * 100, change.chance, change.count,
          isWorse ? "worse" : change.difference < 0 ? "not worse" : "no significant change"))
    }
  }
}

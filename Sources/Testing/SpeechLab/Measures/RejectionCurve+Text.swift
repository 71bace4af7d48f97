extension RejectionCurve {
  /// Above the columns of a threshold.
  static let heading = ["threshold", "false accepts", "false rejects", "near misses accepted"]

  /// A row for each threshold, in steps of so many hundredths.
  func rows(every step: Int) -> [[String]] {
    stride(from: 0, through: 100, by: step).map { outcome(of: Float($0) / 100).cells }
  }

  /// The equal error rate and the area, as a sentence.
  var summary: String {
    let (rate, area) = (equalErrorRate(), area())
    guard rate.count > 0 else { return "Too little was said for an equal error rate." }
    return String(
      format: "Equal error rate %.1f %% (%.1f–%.1f), area under the curve %.3f (%.3f–%.3f).",
      rate.value * 100, rate.interval.lowerBound * 100, rate.interval.upperBound * 100,
      area.value, area.interval.lowerBound, area.interval.upperBound)
  }
}

extension RejectionCurve.Kind {
  /// What it is called.
  var name: String {
    switch self {
    case .command: "sentences of the grammar"
    case .ordinary: "of everyday English"
    case .otherCommand: "commands of other programs"
    case .nearMiss: "near misses"
    }
  }
}

extension RejectionCurve.Threshold {
  /// “0.55”.
  var number: String { String(format: "%.2f", value) }

  /// What stands in a row of a table.
  var cells: [String] {
    [number, falseAccepts.percent, falseRejects.percent, acceptedNearMisses.percent]
  }
}

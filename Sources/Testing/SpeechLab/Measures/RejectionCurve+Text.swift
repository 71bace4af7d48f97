extension RejectionCurve {
  /// The heading of the columns.
  static let heading = ["threshold", "false accepts", "false rejects", "near misses accepted"]

  /// Returns the heading and a row for each threshold, in steps of the given number of hundredths.
  func rows(every step: Int) -> [[String]] {
    [Self.heading]
      + stride(from: 0, through: 100, by: step).map { outcome(of: Float($0) / 100).cells }
  }

  /// The equal error rate and the area as a sentence.
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
  /// The name of the kind.
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
  /// The threshold with two decimals: “0.55”.
  var number: String { String(format: "%.2f", value) }

  /// The cells of a row.
  var cells: [String] {
    [number, falseAccepts.percent, falseRejects.percent, acceptedNearMisses.percent]
  }
}

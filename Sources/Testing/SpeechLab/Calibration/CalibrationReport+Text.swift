extension CalibrationReport {
  /// Returns the report as tables for a terminal, with the threshold for a share of false accepts.
  public func text(falseAccepts wanted: Double) -> String {
    let said = RejectionCurve.Kind.allCases.map { kind in
      "\(trials.count { $0.kind == kind }) \(kind.name)"
    }.joined(separator: ", ")
    let curve = rejection()
    var text = "\(grammar): heard \(said)\n\n"
    text += ReportText.table(curve.rows(every: 10), indentedBy: 2)
    text += "\n\(curve.summary)\n\(recommendation(wanted))\n"
    guard let best = threshold(falseAccepts: wanted) else { return text }
    let rows = conditions.levels.enumerated().map { index, level in
      [level.name] + rejection(level: index).outcome(of: best.value).cells.dropFirst()
    }
    return text + "\n"
      + ReportText.table(
        [["noise"] + RejectionCurve.heading.dropFirst()] + rows, indentedBy: 2)
  }

  /// The recommendation as a sentence.
  func recommendation(_ wanted: Double) -> String {
    let percent = String(format: "%.1f", wanted * 100)
    guard let best = threshold(falseAccepts: wanted) else {
      return "No threshold keeps false accepts to \(percent) %."
    }
    return
      "Recommended for at most \(percent) % false accepts: a threshold of \(best.number). It "
      + "accepts \(best.falseAccepts.percent) of other speech and rejects "
      + "\(best.falseRejects.percent) of the grammar's sentences."
  }
}

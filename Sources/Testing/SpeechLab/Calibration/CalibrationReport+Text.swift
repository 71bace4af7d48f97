extension CalibrationReport {
  /// Returns the report as tables for a terminal, with the threshold for a share of false accepts.
  public func text(falseAccepts wanted: Double) -> String {
    let said = Kind.allCases.map { kind in
      "\(trials.count { $0.kind == kind }) \(kind.name)"
    }.joined(separator: ", ")
    var text = "\(grammar): heard \(said)\n\n"
    let curve = rejection()
    text += Self.table(RejectionCurve.heading, curve.rows(every: 10))
    text += "\n" + curve.summary + "\n"
    text += recommendation(wanted) + "\n"
    guard let best = threshold(falseAccepts: wanted) else { return text }
    let rows = conditions.levels.indices.map { level in
      [conditions.levels[level].name] + outcome(of: best.value, level: level).cells.dropFirst()
    }
    return text + "\n" + Self.table(["noise"] + RejectionCurve.heading.dropFirst(), rows)
  }

  /// The recommendation as a sentence.
  func recommendation(_ wanted: Double) -> String {
    let percent = FloatingPointText.tenth(wanted)
    guard let best = threshold(falseAccepts: wanted) else {
      return "No threshold keeps false accepts to \(percent) %."
    }
    return
      "Recommended for at most \(percent) % false accepts: a threshold of \(best.number). It "
      + "accepts "
      + "\(best.falseAccepts.percent) of other speech and rejects \(best.falseRejects.percent) of "
      + "the "
      + "grammar's sentences."
  }

  private static func table(_ heading: [String], _ rows: [[String]]) -> String {
    let all = [heading] + rows
    let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = row.enumerated().map { column, cell in
        cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      return "  " + cells.joined(separator: "  ").trimmed + "\n"
    }.joined()
  }
}

extension String {
  /// The text without trailing blanks.
  fileprivate var trimmed: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}

extension CalibrationReport {
  /// Returns the report as a self-contained HTML page that recommends the threshold for a share of
  /// false accepts.
  public func html(falseAccepts wanted: Double) -> String {
    let best = threshold(falseAccepts: wanted)
    var body =
      "<p>\(HTMLPage.escaped(recommendation(wanted))) What follows in brackets is where the "
    body +=
      "share lies at 95 %. \(trials.count) sentences were said by \(conditions.speakers.count) "
    body +=
      "synthetic voices at \(conditions.levels.count) levels of noise, seed "
      + "\(conditions.seed).</p>\n"
    body += "<h2>All noise together</h2>\n"
    let whole = rejection()
    body += "<p>\(HTMLPage.escaped(whole.summary))</p>\n"
    body += whole.chart("all noise together", marking: best)
    body += HTMLPage.table(
      "False accepts and rejects by threshold", heading: RejectionCurve.heading,
      rows: whole.rows(every: 5))
    for level in conditions.levels.indices {
      let name = conditions.levels[level].name
      let curve = rejection(level: level)
      body += "\n<h2>\(HTMLPage.escaped(name))</h2>\n"
      body += curve.chart(name, marking: best)
      body += HTMLPage.table(
        "By threshold, \(name)", heading: RejectionCurve.heading, rows: curve.rows(every: 10))
    }
    return HTMLPage(title: "Calibration of “\(grammar)”", body: body).text
  }
}

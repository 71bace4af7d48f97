extension CalibrationReport {
  /// Returns the report as a self-contained HTML page that recommends the threshold for a share of
  /// false accepts.
  public func html(falseAccepts wanted: Double) -> String {
    let best = threshold(falseAccepts: wanted)
    let whole = rejection()
    var body = """
      <p>\(HTMLPage.escaped(recommendation(wanted))) The numbers in brackets are 95 % confidence \
      intervals. \(conditions.speakers.count) synthetic voices said \(trials.count) sentences at \
      \(conditions.levels.count) levels of noise, seed \(conditions.seed).</p>
      <h2>All noise together</h2>
      <p>\(HTMLPage.escaped(whole.summary))</p>
      \(whole.chart("all noise together", marking: best))
      \(HTMLPage.table("False accepts and rejects by threshold", whole.rows(every: 5)))
      """
    for (index, level) in conditions.levels.enumerated() {
      let curve = rejection(level: index)
      body += """

        <h2>\(HTMLPage.escaped(level.name))</h2>
        \(curve.chart(level.name, marking: best))
        \(HTMLPage.table("By threshold, \(level.name)", curve.rows(every: 10)))
        """
    }
    return HTMLPage(title: "Calibration of “\(grammar)”", body: body).text
  }
}

extension CalibrationReport {
  /// The report as a page of HTML that stands by itself, with the threshold for that share of false accepts.
  public func html(falseAccepts wanted: Double) -> String {
    let best = threshold(falseAccepts: wanted)
    var body =
      "<p>\(HTMLPage.escaped(recommendation(wanted))) What follows in brackets is where the "
    body +=
      "share lies at 95 %. \(trials.count) sentences were said by \(conditions.speakers.count) "
    body +=
      "synthetic voices at \(conditions.levels.count) levels of noise, seed \(conditions.seed).</p>\n"
    body += "<h2>All noise together</h2>\n" + chart(curve(), best: best, "all noise together")
    let rows = stride(from: 0, through: 100, by: 5).map { outcome(of: Float($0) / 100).cells }
    body += HTMLPage.table(
      "False accepts and rejects by threshold", heading: Self.heading, rows: rows)
    for level in conditions.levels.indices {
      let name = conditions.levels[level].name
      body += "\n<h2>\(HTMLPage.escaped(name))</h2>\n"
      body += chart(curve(level: level), best: best, name)
      let rows = stride(from: 0, through: 100, by: 10).map {
        outcome(of: Float($0) / 100, level: level).cells
      }
      body += HTMLPage.table("By threshold, \(name)", heading: Self.heading, rows: rows)
    }
    return HTMLPage(title: "Calibration of “\(grammar)”", body: body).text
  }

  /// Both shares by threshold. The table below it says the same to those who cannot see it.
  private func chart(_ curve: [Threshold], best: Threshold?, _ name: String) -> String {
    let (width, height, left, top) = (560.0, 240.0, 50.0, 14.0)
    func x(_ value: Float) -> String { Self.place(left + Double(value) * width) }
    func y(_ share: Double) -> String { Self.place(top + (1 - share) * height) }
    func line(_ style: String, _ share: (Threshold) -> Proportion) -> String {
      let points = curve.map { "\(x($0.value)),\(y(share($0).share))" }.joined(separator: " ")
      return "<polyline class=\"\(style)\" points=\"\(points)\" />\n"
    }
    var content = ""
    for tick in stride(from: 0.0, through: 1, by: 0.25) {
      content +=
        "<line class=\"axis\" x1=\"\(x(0))\" x2=\"\(x(1))\" y1=\"\(y(tick))\" y2=\"\(y(tick))\" />\n"
      content +=
        "<text x=\"4\" y=\"\(Self.place(top + (1 - tick) * height + 4))\">\(Int(tick * 100)) %</text>\n"
      content +=
        "<text x=\"\(x(Float(tick)))\" y=\"\(Self.place(top + height + 20))\" text-anchor=\"middle\">\(tick)</text>\n"
    }
    if let best {
      content +=
        "<line class=\"mark\" x1=\"\(x(best.value))\" x2=\"\(x(best.value))\" y1=\"\(y(0))\" y2=\"\(y(1))\" />\n"
      content +=
        "<text x=\"\(x(best.value))\" y=\"11\" text-anchor=\"middle\">\(best.number)</text>\n"
    }
    content += line("one") { $0.falseAccepts } + line("two") { $0.falseRejects }
    let label = HTMLPage.escaped("False accepts and false rejects by threshold, \(name)")
    return """
      <svg viewBox="0 0 640 290" width="640" height="290" role="img" aria-label="\(label)"
      xmlns="http://www.w3.org/2000/svg">
      \(content)</svg>
      <p>Whole line: false accepts. Dashed line: false rejects. Below: the threshold.</p>

      """
  }

  private static func place(_ value: Double) -> String { String(format: "%.1f", value) }
}

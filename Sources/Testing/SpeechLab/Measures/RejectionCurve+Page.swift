extension RejectionCurve {
  /// Returns a chart of both shares by threshold. The table below it has the same data for screen
  /// readers.
  func chart(_ name: String, marking best: Threshold?) -> String {
    let curve = thresholds
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
        "<line class=\"axis\" x1=\"\(x(0))\" x2=\"\(x(1))\" y1=\"\(y(tick))\" y2=\"\(y(tick))\" "
        + "/>\n"
      content +=
        "<text x=\"4\" y=\"\(Self.place(top + (1 - tick) * height + 4))\">\(Int(tick * 100)) "
        + "%</text>\n"
      content +=
        "<text x=\"\(x(Float(tick)))\" y=\"\(Self.place(top + height + 20))\" "
        + "text-anchor=\"middle\">\(tick)</text>\n"
    }
    if let best {
      content +=
        "<line class=\"mark\" x1=\"\(x(best.value))\" x2=\"\(x(best.value))\" y1=\"\(y(0))\" "
        + "y2=\"\(y(1))\" />\n"
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

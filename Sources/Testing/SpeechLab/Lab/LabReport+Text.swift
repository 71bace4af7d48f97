extension LabReport {
  /// The report as tables for a terminal.
  public var text: String {
    var tables = [ReportText.table(recogniserRows)]
    for recogniser in recognisers where !recogniser.trials.isEmpty {
      let name = recogniser.name
      tables.append(
        ReportText.table(Self.rows("\(name) in", recogniser.wordErrorRates(by: \.scene))))
      tables.append(
        ReportText.table(Self.rows("\(name) with", recogniser.wordErrorRates(by: \.speaker))))
      if let rejection = recogniser.rejection {
        tables.append(
          "\(name) and other speech. \(rejection.summary)\n"
            + ReportText.table(rejection.rows(every: 10)))
      }
    }
    if !voices.isEmpty { tables.append(ReportText.table(voiceRows)) }
    return tables.joined(separator: "\n")
  }

  /// Returns the report as a self-contained HTML page.
  ///
  /// - Parameter comparisons: The comparisons with a baseline, if there is one.
  public func html(comparedWith comparisons: [LabComparison] = []) -> String {
    var body =
      "<p>\(lines) lines, \(speakers.count) voices, \(scenes.count) environments, seed "
      + "\(seed).</p>\n"
    if !comparisons.isEmpty {
      body += "<h2>Comparison with the baseline</h2>\n"
      body += HTMLPage.table(
        "Changes since the baseline",
        [["Recogniser", "Verdict", "Change"]] + comparisons.map { [$0.name, $0.verdict, $0.text] })
    }
    body += "<h2>Recognisers</h2>\n" + HTMLPage.table("Errors of the recognisers", recogniserRows)
    for recogniser in recognisers where !recogniser.trials.isEmpty {
      let name = recogniser.name
      body += "<h2>\(HTMLPage.escaped(name))</h2>\n"
      body += Self.bars(
        "Word errors of \(name) by environment", of: "Environment",
        recogniser.wordErrorRates(by: \.scene))
      body += Self.bars(
        "Word errors of \(name) by voice", of: "Voice", recogniser.wordErrorRates(by: \.speaker))
      body += Self.worst(recogniser)
      if let rejection = recogniser.rejection {
        body += "<h3>\(HTMLPage.escaped("\(name) and other speech"))</h3>\n"
        body += "<p>\(HTMLPage.escaped(rejection.summary))</p>\n"
        body += rejection.chart(name, marking: nil)
        body += HTMLPage.table(
          "False accepts and rejects of \(name) by threshold", rejection.rows(every: 10))
      }
    }
    if !voices.isEmpty {
      body += "<h2>Voices</h2>\n" + HTMLPage.table("Speed of the voices", voiceRows)
    }
    return HTMLPage(title: "Speech lab", body: body).text
  }

  /// The heading and the rows of the recognisers, with columns of resources if they were measured,
  /// and of errors if one failed.
  private var recogniserRows: [[String]] {
    let isMeasured = recognisers.contains { $0.resources != nil }
    var heading = ["recogniser", "words wrong", "95 %", "characters", "all right"]
    heading += isMeasured ? ["wait", "processor", "memory"] : ["real-time factor"]
    let rows = recognisers.map { recogniser in
      guard !recogniser.trials.isEmpty else {
        return [recogniser.name] + Array(repeating: "–", count: heading.count - 1)
      }
      let rate = recogniser.wordErrorRate
      let row = [
        recogniser.name, Self.percent(rate.value), Self.interval(rate),
        Self.percent(recogniser.characterErrorRate.value),
        "\(recogniser.accuracy.count) of \(recogniser.accuracy.total)",
      ]
      guard isMeasured else {
        return row + [String(format: "%.3f", recogniser.realTimeFactor.value)]
      }
      let use = recogniser.resources
      return row + [
        String(format: "%.2f s", recogniser.wait.value),
        use.map { String(format: "%.3f s/s", $0.processorTime) } ?? "–",
        use.map { String(format: "%.0f MB", $0.megabytes) } ?? "–",
      ]
    }
    return Self.withFailures([heading] + rows, recognisers.map(\.failure))
  }

  /// The heading and the rows of the voices, with a column of errors if one failed.
  private var voiceRows: [[String]] {
    let rows = voices.map { voice in
      guard voice.failure == nil else { return [voice.name, "–", "–"] }
      return [
        voice.name, String(format: "%.1f ms", voice.firstSound.value * 1_000),
        String(format: "%.4f", voice.realTimeFactor.value),
      ]
    }
    return Self.withFailures(
      [["voice", "first sound", "real-time factor"]] + rows, voices.map(\.failure))
  }

  private static func withFailures(_ rows: [[String]], _ failures: [String?]) -> [[String]] {
    guard failures.contains(where: { $0 != nil }) else { return rows }
    return zip(rows, ["error"] + failures).map { $0 + [$1 ?? ""] }
  }

  private static func rows(
    _ part: String, _ rates: [(name: String, rate: Estimate)]
  ) -> [[String]] {
    [[part, "words wrong", "95 %"]]
      + rates.map { [$0.name, percent($0.rate.value), interval($0.rate)] }
  }

  /// Returns the lines with the most errors, with the words that differ.
  private static func worst(_ recogniser: Recogniser) -> String {
    let wrong = recogniser.trials.filter { $0.words.errors > 0 }.sorted {
      $0.words.rate > $1.words.rate
    }
    guard !wrong.isEmpty else { return "" }
    return HTMLPage.table(
      "Worst results of \(recogniser.name)",
      [["said", "heard", "voice", "environment"]]
        + wrong.prefix(25).map { [$0.said, $0.heard, $0.speaker, $0.scene] })
  }

  /// Returns bars with their intervals, and the same as a table for screen readers.
  private static func bars(
    _ title: String, of part: String, _ rates: [(name: String, rate: Estimate)]
  ) -> String {
    let top = max(rates.map(\.rate.interval.upperBound).max() ?? 0, 0.05)
    let height = rates.count * 24 + 8
    // Eight pixels hold the widest common letter of this size.
    let left = (rates.map(\.name.count).max() ?? 0) * 8 + 16
    let (room, width) = (380.0, left + 400)
    var picture =
      "<svg viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\" "
      + "role=\"img\" aria-label=\"\(HTMLPage.escaped(title)), as bars\">"
    for (index, item) in rates.enumerated() {
      let y = index * 24 + 4
      func x(_ rate: Double) -> String { String(format: "%.1f", Double(left) + rate / top * room) }
      let length = String(format: "%.1f", item.rate.value / top * room)
      picture +=
        "<text x=\"0\" y=\"\(y + 14)\">\(HTMLPage.escaped(item.name))</text>"
        + "<rect x=\"\(left)\" y=\"\(y)\" width=\"\(length)\" height=\"18\" fill=\"var(--two)\" "
        + "fill-opacity=\".5\" />"
        + "<path class=\"mark\" d=\"M\(x(item.rate.interval.lowerBound)) "
        + "\(y + 9)H\(x(item.rate.interval.upperBound))\" />"
    }
    picture += "</svg>"
    return HTMLPage.table(title, rows(part, rates))
      + HTMLPage.scrolling("\(title), as bars", picture)
  }

  private static func percent(_ rate: Double) -> String { String(format: "%.1f %%", rate * 100) }

  private static func interval(_ rate: Estimate) -> String {
    String(
      format: "%.1f–%.1f", rate.interval.lowerBound * 100, rate.interval.upperBound * 100)
  }
}

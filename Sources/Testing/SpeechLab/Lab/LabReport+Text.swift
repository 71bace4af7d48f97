extension LabReport {
  /// The report as tables for a terminal.
  public var text: String {
    var text = Self.lines(heard.heading, heard.rows)
    for ear in ears where !ear.trials.isEmpty {
      text +=
        "\n"
        + Self.lines(["\(ear.name) in", "words wrong", "95 %"], Self.rows(ear, \.surroundings))
      text +=
        "\n" + Self.lines(["\(ear.name) with", "words wrong", "95 %"], Self.rows(ear, \.speaker))
      if let rejection = ear.rejection {
        text += "\n\(ear.name) and other speech. \(rejection.summary)\n"
        text += Self.lines(RejectionCurve.heading, rejection.rows(every: 10))
      }
    }
    return text + "\n" + Self.lines(spoken.heading, spoken.rows)
  }

  /// Returns the report as a self-contained HTML page.
  ///
  /// - Parameter comparisons: The comparisons with a baseline, if there is one.
  public func html(comparedWith comparisons: [LabComparison] = []) -> String {
    var body =
      "<p>\(lines) lines, \(speakers.count) voices, \(surroundings.count) surroundings, seed "
      + "\(seed).</p>\n"
    if !comparisons.isEmpty {
      body += "<h2>Beside the baseline</h2>\n"
      body += HTMLPage.table(
        "What changed since the baseline", heading: ["Recogniser", "Verdict", "What changed"],
        rows: comparisons.map { [$0.name, $0.verdict, $0.text] })
    }
    body += "<h2>Recognisers</h2>\n"
    body += HTMLPage.table(
      "What the recognisers get wrong", heading: heard.heading.map(\.withCapital), rows: heard.rows)
    for ear in ears where !ear.trials.isEmpty {
      body += "<h2>\(HTMLPage.escaped(ear.name))</h2>\n"
      body += Self.bars(
        "Words that \(ear.name) gets wrong, by surroundings", of: "AcousticScene",
        ear.wordErrorRates { $0.surroundings })
      body += Self.bars(
        "Words that \(ear.name) gets wrong, by voice", of: "Voice",
        ear.wordErrorRates(by: \.speaker))
      body += Self.worst(ear)
      if let rejection = ear.rejection { body += Self.rejections(rejection, of: ear.name) }
    }
    body += "<h2>Voices</h2>\n"
    body += HTMLPage.table(
      "How fast the voices are", heading: spoken.heading.map(\.withCapital), rows: spoken.rows)
    return HTMLPage(title: "Speech lab", body: body).text
  }

  /// The rows of the recognisers, with a column of errors if one failed.
  private var heard: (heading: [String], rows: [[String]]) {
    let heading = [
      "recogniser", "words wrong", "95 %", "characters", "all right", "real-time factor",
    ]
    let rows = ears.map { ear in
      ear.trials.isEmpty
        ? [ear.name] + Array(repeating: "–", count: heading.count - 1) : Self.row(ear)
    }
    return Self.withFailures(heading, rows, ears.map(\.failure))
  }

  /// The rows of the voices, with a column of errors if one failed.
  private var spoken: (heading: [String], rows: [[String]]) {
    let rows = voices.map { voice in
      guard voice.failure == nil else { return [voice.name, "–", "–"] }
      return [
        voice.name, String(format: "%.1f ms", voice.firstSound.value * 1_000),
        String(format: "%.4f", voice.realTimeFactor.value),
      ]
    }
    return Self.withFailures(
      ["voice", "first sound", "real-time factor"], rows, voices.map(\.failure))
  }

  private static func withFailures(
    _ heading: [String], _ rows: [[String]], _ failures: [String?]
  ) -> (heading: [String], rows: [[String]]) {
    guard failures.contains(where: { $0 != nil }) else { return (heading, rows) }
    return (heading + ["error"], zip(rows, failures).map { $0 + [$1 ?? ""] })
  }

  /// Returns the section about speech that a recogniser should reject.
  private static func rejections(_ curve: RejectionCurve, of name: String) -> String {
    let title = "What \(name) believes, by threshold"
    return "<h3>\(HTMLPage.escaped("\(name) and other speech"))</h3>\n"
      + "<p>\(HTMLPage.escaped(curve.summary))</p>\n" + curve.chart(name, marking: nil)
      + HTMLPage.table(
        title, heading: RejectionCurve.heading.map(\.withCapital), rows: curve.rows(every: 10))
  }

  private static func row(_ ear: Ear) -> [String] {
    let rate = ear.wordErrorRate
    return [
      ear.name, percent(rate.value), interval(rate), percent(ear.characterErrorRate.value),
      "\(ear.accuracy.count) of \(ear.accuracy.total)",
      String(format: "%.3f", ear.realTimeFactor.value),
    ]
  }

  private static func rows(_ ear: Ear, _ part: (Trial) -> String) -> [[String]] {
    ear.wordErrorRates(by: part).map { [$0.name, percent($0.rate.value), interval($0.rate)] }
  }

  /// Returns the lines with the most errors, with the words that differ.
  private static func worst(_ ear: Ear) -> String {
    let wrong = ear.trials.filter { $0.words.errors > 0 }.sorted { $0.words.rate > $1.words.rate }
    guard !wrong.isEmpty else { return "" }
    return HTMLPage.table(
      "What \(ear.name) heard worst", heading: ["Said", "Heard", "Voice", "AcousticScene"],
      rows: wrong.prefix(25).map { [$0.said, $0.heard, $0.speaker, $0.surroundings] })
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
    return HTMLPage.table(
      title, heading: [part, "Words wrong", "95 %"],
      rows: rates.map { [$0.name, percent($0.rate.value), interval($0.rate)] })
      + HTMLPage.scrolling("\(title), as bars", picture)
  }

  private static func percent(_ rate: Double) -> String { String(format: "%.1f %%", rate * 100) }

  private static func interval(_ rate: Estimate) -> String {
    String(
      format: "%.1f–%.1f", rate.interval.lowerBound * 100, rate.interval.upperBound * 100)
  }

  private static func lines(_ heading: [String], _ rows: [[String]]) -> String {
    let all = [heading] + rows
    let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      var line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}

extension String {
  /// The text with a capital letter, as at the beginning of a sentence.
  fileprivate var withCapital: String { prefix(1).uppercased() + dropFirst() }
}

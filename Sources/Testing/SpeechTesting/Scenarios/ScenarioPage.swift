import Dispatch
import SpeechConcurrency
import SpeechLab

/// Outcomes as a self-contained HTML page: both voices as waveforms with their words, the states of
/// the loop, latencies and verdicts. The audio plays at a click or a key.
public enum ScenarioPage {
  /// Returns the text of the page.
  public static func text(of outcomes: [ScenarioOutcome], title: String = "Scenarios") -> String {
    let failed = outcomes.count { !$0.isPassed }
    let verdict =
      failed == 0
      ? "All \(outcomes.count) scenarios passed."
      : "\(failed) of \(outcomes.count) scenarios failed."
    let time = outcomes.reduce(0) { $0 + $1.duration }
    let seconds = outcomes.reduce(0) { $0 + $1.seconds }
    var body = "<p role=\"status\"><strong>\(verdict)</strong> "
    body += String(format: "%.1f s of conversation in %.1f s.</p>\n", time, seconds)
    if (1..<outcomes.count).contains(failed) {
      body +=
        "<p><label><input type=\"checkbox\" id=\"failed\" /> Show only those that "
        + "failed</label></p>\n"
    }
    body += legend
    // Failures first, otherwise in the order of the command line.
    let order = outcomes.enumerated().sorted {
      ($0.element.isPassed ? 1 : 0, $0.offset) < ($1.element.isPassed ? 1 : 0, $1.offset)
    }
    body += sections(order.map(\.element)).joined()
    return HTMLPage(title: title, body: body, style: style, script: script).text
  }

  private static let legend = """
    <details class="legend"><summary>How to read this page, and its keys</summary>
    <p>Time runs from left to right. The upper half of a picture shows the microphone's audio, the \
    lines that were spoken and the words that were recognised; the lower half shows the replies. \
    The band between them shows the state of the loop, and arrows show how long the user waited \
    for the first audio of a reply. A click plays from that position.</p>
    <p>On a scenario, Enter opens it, and ↓, ↑, Home and End move to another one. On the position \
    slider, the arrow keys move by a second and Page Up and Page Down by ten, Home and End move to \
    the ends, and Space plays or pauses.</p>
    </details>

    """

  /// In parallel, because encoding the audio of hundreds of conversations takes time.
  private static func sections(_ outcomes: [ScenarioOutcome]) -> [String] {
    let texts = Guarded([String](repeating: "", count: outcomes.count))
    DispatchQueue.concurrentPerform(iterations: outcomes.count) { number in
      let text = section(outcomes[number], number: number)
      texts.withLock { $0[number] = text }
    }
    return texts.withLock { $0 }
  }

  private static func section(_ outcome: ScenarioOutcome, number: Int) -> String {
    func escaped(_ text: String) -> String { HTMLPage.escaped(text) }
    let mark = outcome.isPassed ? "passed" : "failed"
    let isOpen = outcome.isPassed ? "" : " open=\"open\""
    var text = "<details class=\"scenario \(mark)\" id=\"scenario-\(number)\"\(isOpen)>\n"
    text += "<summary><span class=\"mark\">\(outcome.isPassed ? "✔" : "✘") \(mark)</span> "
    text += "<h2>\(escaped(outcome.name))</h2> "
    text += "<span class=\"hint\">\(escaped(hint(outcome)))</span></summary>\n"
    if !outcome.isPassed {
      text += HTMLPage.scrolling(
        "Unmet expectations of \(outcome.name)",
        "<pre class=\"objection\">\(escaped(outcome.objections))</pre>")
    }
    if outcome.error == nil {
      text += ScenarioTimeline(outcome).markup + "\n"
      // The reason is given above, where its words are aligned.
      let rows = outcome.verdicts.map { verdict in
        [
          verdict.expectation, String(verdict.line),
          verdict.objection == nil
            ? verdict.time.map { String(format: "✔ at %.2f s", $0) } ?? "✔ yes" : "✘ no",
        ]
      }
      text += HTMLPage.table(
        "Expectations of \(outcome.name)", [["expected", "line", "met"]] + rows)
      text += latencies(outcome)
      let title = "Events of \(outcome.name)"
      text += "<details><summary>\(escaped(title))</summary>\n"
      text += HTMLPage.scrolling(title, "<pre>\(escaped(outcome.story))</pre>") + "</details>\n"
    }
    return text + "</details>\n"
  }

  /// The position of the scenario, or for a failure that of its first unmet expectation.
  private static func hint(_ outcome: ScenarioOutcome) -> String {
    let failures = outcome.verdicts.filter { $0.objection != nil }
    var parts = [outcome.file].filter { !$0.isEmpty }
    if let first = failures.first {
      parts = [
        outcome.file.isEmpty ? "line \(first.line)" : "\(outcome.file):\(first.line)",
        "\(failures.count) of \(outcome.verdicts.count) not met",
      ]
    }
    parts += [String(format: "%.1f s", outcome.duration), "seed \(outcome.seed)"]
    return parts.joined(separator: " · ")
  }

  private static func latencies(_ outcome: ScenarioOutcome) -> String {
    let stages = ConversationExpectation.Stage.allCases
    let rows = outcome.events.compactMap { event -> [String]? in
      guard case .timings(let timings) = event.kind else { return nil }
      return ["Turn \(timings.turn)"]
        + stages.map { stage in
          timings.length(of: stage).map { String(format: "%.0f ms", $0 / .milliseconds(1)) } ?? "–"
        }
    }
    guard !rows.isEmpty else { return "" }
    return HTMLPage.table(
      "Durations of the stages of \(outcome.name)", [["turn"] + stages.map(\.rawValue)] + rows)
  }

  private static let style = String(decoding: PackageResources.scenarios_css, as: UTF8.self)
  private static let script = String(decoding: PackageResources.scenarios_js, as: UTF8.self)
}

import SpeechLab

/// Outcomes as JUnit XML, as build servers read it.
public enum ScenarioJUnit {
  /// Returns the text of the file.
  public static func text(of outcomes: [ScenarioOutcome]) -> String {
    let failures = outcomes.count { !$0.isPassed && $0.error == nil }
    let errors = outcomes.count { $0.error != nil }
    let time = seconds(outcomes.reduce(0) { $0 + $1.seconds })
    let counts = """
      tests="\(outcomes.count)" failures="\(failures)" errors="\(errors)" time="\(time)"
      """
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
      <testsuite name="scenarios" \(counts)>
      \(outcomes.map(testCase).joined())</testsuite>
      </testsuites>

      """
  }

  private static func testCase(_ outcome: ScenarioOutcome) -> String {
    let (name, file) = (HTMLPage.escaped(outcome.name), HTMLPage.escaped(outcome.file))
    let time = seconds(outcome.seconds)
    var text = """
      <testcase name="\(name)" classname="\(file)" file="\(file)" time="\(time)">

      """
    if let error = outcome.error {
      let first = error.split(separator: "\n").first.map(String.init) ?? error
      text += element("error", message: first, error)
    } else if !outcome.isPassed {
      let first = outcome.verdicts.first { $0.objection != nil }
      text += element(
        "failure", message: first.map { "expect \($0.expectation)" } ?? "there are no expectations",
        outcome.objections)
    }
    if !outcome.story.isEmpty {
      text += "<system-out>\(HTMLPage.escaped(outcome.story))</system-out>\n"
    }
    return text + "</testcase>\n"
  }

  private static func element(_ name: String, message: String, _ content: String) -> String {
    // XML readers turn a line break in an attribute into a blank.
    let message = HTMLPage.escaped(message.replacing("\n", with: " "))
    return "<\(name) message=\"\(message)\">\(HTMLPage.escaped(content))</\(name)>\n"
  }

  private static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }
}

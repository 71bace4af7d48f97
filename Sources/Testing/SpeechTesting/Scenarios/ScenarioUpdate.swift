/// The text of a scenario whose expectations are replaced by what happened.
///
/// Expectations of events are replaced by the events, and those of the history by the history.
/// Negative expectations stay if they hold and are removed otherwise; budgets grow to the measured
/// time. All other lines and comments stay unchanged.
public struct ScenarioUpdate: Sendable, Hashable {
  /// The text with the new expectations.
  public var text: String
  /// True if the new text differs from the old one.
  public var isChanged: Bool

  /// Creates the text of a scenario's file from an outcome.
  public init(_ text: String, of scenario: Scenario, by outcome: ScenarioOutcome) {
    let old = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var kept: [Int: String] = [:]
    for (expected, verdict) in zip(scenario.expectations, outcome.verdicts) {
      switch expected.expectation.kind {
      case .happens: break
      case .neverHappens, .nothingHeard, .nothingSaid:
        if verdict.objection == nil { kept[expected.line] = old[expected.line - 1] }
      case .history:
        if verdict.objection == nil {
          kept[expected.line] = old[expected.line - 1]
        } else if let entries = outcome.history?.entries {
          kept[expected.line] =
            "expect \(ConversationExpectation.history(entries.map { .init($0) }))"
        }
      case .budget(let stage, _):
        if verdict.objection == nil {
          kept[expected.line] = old[expected.line - 1]
        } else if let measured = Self.measured(stage, outcome.events) {
          kept[expected.line] = "expect \(ConversationExpectation.budget(stage, measured))"
        }
      }
    }
    let places = Set(scenario.expectations.map(\.line))
    let fresh = Self.story(of: outcome, scenario).map { "expect \($0)" }
    // Nothing is rewritten if everything happened as expected.
    let isMet = outcome.isPassed && Self.isComplete(scenario, fresh.count)
    guard !isMet else {
      self.text = text
      isChanged = false
      return
    }
    var lines: [String] = []
    var isWritten = false
    for (index, line) in old.enumerated() {
      guard places.contains(index + 1) else {
        lines.append(line)
        continue
      }
      if !isWritten {
        lines += fresh
        isWritten = true
      }
      if let line = kept[index + 1] { lines.append(line) }
    }
    if !isWritten {
      while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
      lines += [""] + fresh + [""]
    }
    self.text = lines.joined(separator: "\n")
    isChanged = self.text != text
  }

  /// Returns true if the scenario expects any event.
  private static func isComplete(_ scenario: Scenario, _ fresh: Int) -> Bool {
    fresh == 0
      || scenario.expectations.contains {
        if case .happens = $0.expectation.kind { true } else { false }
      }
  }

  /// Returns the events as expectations.
  private static func story(
    of outcome: ScenarioOutcome, _ scenario: Scenario
  ) -> [ConversationExpectation] {
    let all = outcome.events.compactMap { event -> ConversationExpectation? in
      switch event.kind {
      case .userFinal(let text):
        guard let match = scenario.grammar?.matcher.match(text) else { return .heard(text) }
        // A code with a blank cannot be written, and the words say the same.
        let slots = match.slots.compactMap { slot -> (String, String)? in
          let code = slot.code ?? slot.integer.map(String.init)
          return code.flatMap { $0.contains(where: \.isWhitespace) ? nil : (slot.name, $0) }
        }
        guard !slots.isEmpty else { return .heard(text) }
        return .intent(match.intent, Dictionary(slots) { first, _ in first })
      case .userIgnored(let text, let reason): return .happens(.ignored(text, reason))
      case .interrupted(let heard, _):
        return .interrupted(after: heard.contains(where: \.isLetter) ? oneLine(heard) : nil)
      case .replyFinished(let text): return .said(oneLine(text))
      case .asleep: return nil
      default: return ConversationExpectation.Event(event.kind).map { .happens($0) }
      }
    }
    return all.isEmpty ? [.nothingHeard, .nothingSaid] : all
  }

  private static func oneLine(_ text: String) -> String {
    text.replacing("\"", with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the longest duration of the stage, rounded up to a tenth of a second.
  private static func measured(
    _ stage: ConversationExpectation.Stage, _ events: [VoiceLoopEvent]
  ) -> Duration? {
    let longest = events.compactMap { event -> Duration? in
      if case .timings(let timings) = event.kind { timings.length(of: stage) } else { nil }
    }.max()
    return longest.map { .milliseconds(Int(($0 / .milliseconds(100)).rounded(.up)) * 100) }
  }
}

import SpeechConcurrency
import SpeechText

/// Reads the rest of an `expect` line.
enum ScenarioExpectationReader {
  private typealias Event = ConversationExpectation.Event
  private typealias Stage = ConversationExpectation.Stage

  private static let names =
    ["heard", "said", "intent", "ignored", "interrupted"] + Event.plain.map(\.name)
    + ["no …", "nothing heard", "nothing said", "history"] + Stage.allCases.map(\.rawValue)

  static func read(_ line: inout ScenarioLine) throws(ScenarioLineError) -> ConversationExpectation
  {
    if line.take("nothing heard") { return .nothingHeard }
    if line.take("nothing said") { return .nothingSaid }
    if line.take("history") { return .history(try entries(&line)) }
    for stage in Stage.allCases where line.take(stage.rawValue) {
      try line.need("within", and: "a time")
      return .budget(stage, try line.needTime("a time"))
    }
    if line.take("no") { return .never(try event(&line)) }
    let event = try event(&line)
    let limit = line.take("within") ? try line.needTime("a time") : nil
    return .happens(event, within: limit)
  }

  /// Reads the entries of a history, as in `user "how are you" reply "I am" unheard "fine."`.
  private static func entries(
    _ line: inout ScenarioLine
  ) throws(ScenarioLineError) -> [ConversationExpectation.HistoryEntry] {
    var entries: [ConversationExpectation.HistoryEntry] = []
    while !line.isAtEnd {
      let name = try line.need("a side", among: ["user", "reply"])
      let text = try line.needText("what the history has of it")
      let unheard = line.take("unheard") ? try line.needText("what was not heard") : nil
      entries.append(.init(name == "user" ? .user : .reply, text, unheard: unheard))
    }
    return entries
  }

  private static func event(_ line: inout ScenarioLine) throws(ScenarioLineError) -> Event {
    if line.take("heard") {
      let words = try line.needText("what is heard")
      return .heard(words, wordErrorRate: try tolerance(&line))
    }
    if line.take("said") {
      let words = try line.needText("what is said")
      return .said(words, wordErrorRate: try tolerance(&line))
    }
    if line.take("intent") {
      let name = try line.needWord("the name of an intent")
      var slots: [String: String] = [:]
      while let word = line.word, word.contains("=") {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw line.fail("A slot is written as room=kitchen.") }
        slots[parts[0]] = parts[1]
        line.skip()
      }
      return .intent(name, slots: slots)
    }
    if line.take("ignored") {
      let words = line.isAtQuotation ? try line.needText("the words") : nil
      guard line.take("as") else { return .ignored(words, nil) }
      let name = try line.need("a reason", among: IgnoringReason.allCases.map(\.rawValue))
      return .ignored(words, IgnoringReason(rawValue: name))
    }
    if line.take("interrupted") {
      guard line.take("after") else { return .interrupted(after: nil) }
      return .interrupted(after: try line.needText("what was heard of the reply"))
    }
    for (name, event) in Event.plain where line.take(name) { return event }
    throw line.fail(
      "There is no such expectation."
        + (line.word.map { NearestName.suggestion(for: $0, among: names) } ?? "")
        + " There are: \(names.joined(separator: ", ")).")
  }

  /// Reads a tolerance, as in `with 20 % errors`.
  private static func tolerance(
    _ line: inout ScenarioLine
  ) throws(ScenarioLineError) -> Double {
    guard line.take("with") else { return 0 }
    let share = try line.needNumber("how many percent", in: 0...100)
    _ = line.take("%")
    guard line.take("errors") else { throw line.fail("Here “% errors” is missing.") }
    return share / 100
  }
}

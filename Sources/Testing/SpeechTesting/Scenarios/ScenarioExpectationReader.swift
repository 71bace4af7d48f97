import SpeechConcurrency
import SpeechText

/// Reads the rest of an `expect` line.
enum ScenarioExpectationReader {
  private static let names = [
    "heard", "said", "intent", "ignored", "interrupted", "resumed", "reply failed", "voice failed",
    "awake",
    "asleep", "recognition lost", "recognition returned", "prompted", "away", "no …",
    "nothing heard", "nothing said", "end of turn", "final text", "first token", "first sound",
    "total", "interruption",
  ]

  static func read(_ line: inout ScenarioLine) throws(ScenarioLineError) -> ConversationExpectation
  {
    if line.take("nothing", "heard") { return .nothingHeard }
    if line.take("nothing", "said") { return .nothingSaid }
    for stage in ConversationExpectation.Stage.allCases {
      let words = stage.rawValue.split(separator: " ").map(String.init)
      let isThere =
        words.count == 3
        ? line.take(words[0], words[1], words[2])
        : words.count == 2 ? line.take(words[0], words[1]) : line.take(words[0])
      guard isThere else { continue }
      guard line.take("within") else { throw line.fail("Here “within” and a time are missing.") }
      return .budget(stage, try line.needTime("a time"))
    }
    if line.take("no") { return .never(try event(&line)) }
    let event = try event(&line)
    let limit = line.take("within") ? try line.needTime("a time") : nil
    return .happens(event, within: limit)
  }

  private static func event(
    _ line: inout ScenarioLine
  ) throws(ScenarioLineError) -> ConversationExpectation.Event {
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
      let reasons: [IgnoringReason] = [
        .nothingUnderstood, .rejected, .listenerSound, .ownWords, .notAddressed, .stopWord,
        .answeredLater,
      ]
      let name = try line.need("a reason", among: reasons.map(\.rawValue))
      return .ignored(words, IgnoringReason(rawValue: name))
    }
    if line.take("interrupted") {
      guard line.take("after") else { return .interrupted(after: nil) }
      return .interrupted(after: try line.needText("what was heard of the reply"))
    }
    if line.take("resumed") { return .resumed }
    if line.take("reply", "failed") { return .replyFailed }
    if line.take("voice", "failed") { return .voiceFailed }
    if line.take("awake") { return .awake }
    if line.take("asleep") { return .asleep }
    if line.take("recognition", "lost") { return .recognitionLost }
    if line.take("recognition", "returned") { return .recognitionReturned }
    if line.take("prompted") { return .prompted }
    if line.take("away") { return .away }
    let nearest =
      line.word.flatMap { NearestName.of($0, among: names) }.map { " Did you mean “\($0)”?" } ?? ""
    throw line.fail(
      "It is not understood what is expected.\(nearest) There are: "
        + "\(names.joined(separator: ", "))."
    )
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

/// How a scenario went: what a report is made of, whoever makes it.
public struct ScenarioOutcome: Sendable, Codable {
  /// What became of an expectation.
  public struct Verdict: Sendable, Hashable, Codable {
    /// The expectation, as the scenario has it.
    public var expectation: String
    /// Its line in the file.
    public var line: Int
    /// When it was met, in seconds; `nil` where it was not, or is about the whole conversation.
    public var time: Double?
    /// Why it is not met; `nil` if it is.
    public var objection: String?
  }

  /// The scenario's name.
  public var name: String
  /// The path of its file; empty for a text.
  public var file: String
  /// On what all that is chance depended.
  public var seed: UInt64
  /// How long the conversation lasted, in its own seconds.
  public var duration: Double
  /// How long it took, in seconds of this world.
  public var seconds: Double
  /// What became of the expectations.
  public var verdicts: [Verdict]
  /// The lines whose moment never came.
  public var unsaid: [String]
  /// Why there is no conversation to judge; `nil` if there is.
  public var error: String?
  /// What was really said.
  public var lines: [SpokenLine]
  /// What happened.
  public var events: [VoiceLoopEvent]
  /// What happened, in words.
  public var story: String
  /// What was said and what happened, the same bytes for the same conversation.
  public var log: String
  /// What the microphone heard, as a file of sound.
  public var heard: Data
  /// What was played, as a file of sound.
  public var played: Data

  /// Whether all expectations are met, and there are any.
  public var isPassed: Bool {
    error == nil && !verdicts.isEmpty && verdicts.allSatisfy { $0.objection == nil }
  }

  init(_ scenario: Scenario, _ record: ConversationRecord, seed: UInt64, seconds: Double) {
    self.init(name: scenario.name, file: scenario.file?.relativePath ?? "", seed: seed)
    self.seconds = seconds
    duration = record.duration / .seconds(1)
    verdicts = zip(
      scenario.expectations,
      record.verdicts(
        on: scenario.expectations.map(\.expectation), grammar: scenario.grammar?.matcher)
    ).map { expected, verdict in
      Verdict(
        expectation: expected.expectation.description, line: expected.line,
        time: verdict.time.map { $0 / .seconds(1) }, objection: verdict.objection)
    }
    unsaid = record.unsaid
    lines = record.lines
    events = record.events
    story = record.story
    log = record.log
    heard = (try? AudioFile.encode(record.heard)) ?? Data()
    played = (try? AudioFile.encode(record.played)) ?? Data()
  }

  /// A scenario that could not be run, and why.
  public init(name: String, file: String, seed: UInt64 = 1, error: String? = nil) {
    self.name = name
    self.file = file
    self.seed = seed
    self.error = error
    (duration, seconds) = (0, 0)
    (verdicts, unsaid, lines, events) = ([], [], [], [])
    (story, log, heard, played) = ("", "", Data(), Data())
  }

  /// How it went, for a person: a line if all is well, else all that one wants to see.
  public var account: String {
    let title = "\(isPassed ? "✔" : "✘") \(name)"
    if let error { return "\(title)\n" + error.indented }
    let times = String(format: "%.1f s in %.2f s", duration, seconds)
    guard !isPassed else { return "\(title) (\(verdicts.count) expectations, \(times))" }
    return "\(title) (\(times), seed \(seed))\n" + objections.indented + "\n"
      + ("What happened:\n" + story.indented).indented
  }

  /// What is not met, and why.
  public var objections: String {
    if let error { return error }
    guard !verdicts.isEmpty else {
      return
        "Nothing is expected. Write “expect …” lines, or let `speechkit test --update` write them."
    }
    var text = verdicts.compactMap { verdict in
      verdict.objection.map {
        let place = file.isEmpty ? "" : "\(file):\(verdict.line): "
        return "\(place)expect \(verdict.expectation)\n" + $0.indented
      }
    }.joined(separator: "\n")
    if !unsaid.isEmpty {
      let lines = unsaid.map { "“\($0)”" }.joined(separator: ", ")
      text += "\nNever said, because what it waits for did not happen: \(lines)"
    }
    return text
  }
}

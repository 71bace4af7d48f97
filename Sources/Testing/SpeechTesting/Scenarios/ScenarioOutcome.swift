/// The outcome of a scenario, with everything that a report needs.
public struct ScenarioOutcome: Sendable, Codable {
  /// The verdict about an expectation.
  public struct Verdict: Sendable, Hashable, Codable {
    /// The expectation, as written in the scenario.
    public var expectation: String
    /// The line of the expectation in the file.
    public var line: Int
    /// The time in seconds at which it was met; `nil` if it was not, or concerns the whole
    /// conversation.
    public var time: Double?
    /// The reason why it is not met; `nil` if it is.
    public var objection: String?
  }

  /// The name of the scenario.
  public var name: String
  /// The path of its file; empty for a text.
  public var file: String
  /// The seed of all random choices.
  public var seed: UInt64
  /// The duration of the conversation, in virtual seconds.
  public var duration = 0.0
  /// The duration of the run, in real seconds.
  public var seconds = 0.0
  /// The verdicts about the expectations.
  public var verdicts: [Verdict] = []
  /// The lines whose cue never came.
  public var unsaid: [String] = []
  /// The error that prevented the conversation; `nil` if there was none.
  public var error: String?
  /// The lines that were really spoken.
  public var lines: [SpokenLine] = []
  /// The events in order.
  public var events: [VoiceLoopEvent] = []
  /// The history of the loop at the end; `nil` if there is none.
  public var history: ConversationHistory?
  /// The events in words.
  public var story = ""
  /// The lines and events. Equal conversations give equal bytes.
  public var log = ""
  /// The audio from the microphone, as an audio file.
  public var heard = Data()
  /// The audio from the loudspeaker, as an audio file.
  public var played = Data()

  /// True if there are expectations, and all of them are met.
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
    history = record.history
    story = record.story
    log = record.log
    heard = (try? AudioFile.encode(record.heard)) ?? Data()
    played = (try? AudioFile.encode(record.played)) ?? Data()
  }

  /// Creates the outcome of a scenario that could not be run.
  public init(name: String, file: String, seed: UInt64 = 1, error: String? = nil) {
    self.name = name
    self.file = file
    self.seed = seed
    self.error = error
  }

  /// The outcome in words: one line for a success, and all details for a failure.
  public var account: String {
    let title = "\(isPassed ? "✔" : "✘") \(name)"
    if let error { return "\(title)\n" + error.indented }
    let times = String(format: "%.1f s in %.2f s", duration, seconds)
    guard !isPassed else { return "\(title) (\(verdicts.count) expectations, \(times))" }
    return "\(title) (\(times), seed \(seed))\n" + objections.indented + "\n"
      + ("What happened:\n" + story.indented).indented
  }

  /// The unmet expectations with their reasons.
  public var objections: String {
    if let error { return error }
    guard !verdicts.isEmpty else {
      return
        "There are no expectations. Write “expect …” lines, or let `speechkit test --update` write "
        + "them."
    }
    return verdicts.compactMap { verdict in
      verdict.objection.map {
        let place = file.isEmpty ? "" : "\(file):\(verdict.line): "
        return "\(place)expect \(verdict.expectation)\n" + $0.indented
      }
    }.joined(separator: "\n") + ExpectationFailure.remark(onUnsaid: unsaid)
  }
}

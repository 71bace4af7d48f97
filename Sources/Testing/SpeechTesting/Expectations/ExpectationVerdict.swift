/// The verdict about an expectation.
public struct ExpectationVerdict: Sendable, Hashable {
  /// The expectation that was tested.
  public var expectation: ConversationExpectation
  /// The time at which it was met; `nil` if it was not, or concerns the whole conversation.
  public var time: Duration?
  /// The reason why it is not met; `nil` if it is.
  public var objection: String?

  /// True if the expectation is met.
  public var isMet: Bool { objection == nil }
}

/// An error that lists the unmet expectations of a conversation.
///
/// Its text has everything that a build log should show: each expectation, the nearest event, the
/// differing words, the story of the conversation, and the place of the audio.
public struct ExpectationFailure: Error, LocalizedError, Sendable, CustomStringConvertible {
  /// The verdicts about all expectations.
  public var verdicts: [ExpectationVerdict]
  /// The story of the conversation.
  public var story: String
  /// The lines that were never spoken, because their cue did not happen.
  public var unsaid: [String]
  /// The folder of audio and log; `nil` if they were not written.
  public var folder: URL?

  /// The complete text of the failure.
  public var description: String {
    var text = verdicts.filter { !$0.isMet }.map { verdict in
      "✘ \(verdict.expectation)\n" + (verdict.objection ?? "").indented
    }.joined(separator: "\n")
    text += Self.remark(onUnsaid: unsaid)
    text += "\nWhat happened:\n" + story.indented
    if let folder {
      text += "\nAudio and events: \(folder.path(percentEncoded: false))"
    }
    return text
  }

  /// The complete text of the failure.
  public var errorDescription: String? { description }

  /// Returns a line about lines that were never spoken; empty if there are none.
  static func remark(onUnsaid lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    return "\nNever said, because the cue did not come: "
      + lines.map { "“\($0)”" }.joined(separator: ", ")
  }
}

extension ConversationRecord {
  /// Returns the verdicts about expectations.
  ///
  /// - Parameter grammar: The grammar that defines intents and slots.
  public func verdicts(
    on expectations: [ConversationExpectation], grammar: CommandMatcher? = nil
  ) -> [ExpectationVerdict] {
    let matcher = ExpectationMatcher(grammar: grammar)
    var place = Place()
    return expectations.map { expectation in
      var verdict = ExpectationVerdict(expectation: expectation)
      switch expectation.kind {
      case .happens(let event, let limit):
        (verdict.time, verdict.objection) = happens(event, limit, from: &place, matcher)
      case .neverHappens(let event):
        verdict.objection = events.first { matcher.match($0, event)?.isMet == true }.map {
          "It happened at \($0.time.text): \($0.kind.inWords ?? "\($0.kind)")."
        }
      case .nothingHeard:
        verdict.objection = objection { if case .userFinal = $0 { true } else { false } }
      case .nothingSaid:
        verdict.objection = objection { if case .speaking = $0 { true } else { false } }
      case .history(let entries): verdict.objection = difference(from: entries)
      case .budget(let stage, let limit): verdict.objection = overrun(of: stage, limit)
      }
      return verdict
    }
  }

  /// Throws unless all expectations are met, for XCTest and for programs.
  ///
  /// - Parameters:
  ///   - grammar: The grammar that defines intents and slots.
  ///   - folder: The folder for audio and events of a failure.
  /// - Throws: `ExpectationFailure`, or `AudioError.writeFailed`.
  public func check(
    _ expectations: [ConversationExpectation], grammar: CommandMatcher? = nil,
    keepingIn folder: URL? = nil
  ) throws {
    guard var failure = failure(of: expectations, grammar: grammar) else { return }
    if let folder {
      try write(to: folder)
      failure.folder = folder
    }
    throw failure
  }

  /// Returns the unmet expectations as an error; `nil` if all are met.
  public func failure(
    of expectations: [ConversationExpectation], grammar: CommandMatcher? = nil
  ) -> ExpectationFailure? {
    let verdicts = verdicts(on: expectations, grammar: grammar)
    guard !verdicts.allSatisfy(\.isMet) else { return nil }
    return ExpectationFailure(verdicts: verdicts, story: story, unsaid: unsaid)
  }

  /// Writes `heard.wav`, `played.wav`, `both.wav` and `log.txt`.
  ///
  /// - Throws: `AudioError.writeFailed`.
  public func write(to folder: URL) throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw AudioError.writeFailed(
        path: folder.path(percentEncoded: false), reason: error.localizedDescription)
    }
    try WholeFile.write(
      Data((story + "\n\n" + log + "\n").utf8), to: folder.appending(path: "log.txt"))
    try AudioFile.write(heard, to: folder.appending(path: "heard.wav"))
    try AudioFile.write(played, to: folder.appending(path: "played.wav"))
    try AudioFile.write(bothSides, to: folder.appending(path: "both.wav"))
  }

  /// The audio of both sides, mixed.
  public var bothSides: PCMBuffer {
    var both = heard
    both.mix(played, at: 0)
    return both
  }

  private func happens(
    _ event: ConversationExpectation.Event, _ limit: Duration?, from place: inout Place,
    _ matcher: ExpectationMatcher
  ) -> (time: Duration?, objection: String?) {
    var nearest: (index: Int, match: ExpectationMatch)?
    // Events of one instant have no order that can be expected.
    let instant = place.next < events.count ? events[place.next].time : .zero
    let start = events[..<place.next].firstIndex { $0.time == instant } ?? place.next
    for index in start..<events.count where !place.isUsed(index, event) {
      guard let match = matcher.match(events[index], event) else { continue }
      if match.isMet {
        place.use(index, event)
        let late = lateness(of: index, limit)
        return (late == nil ? events[index].time : nil, late)
      }
      if match.distance < nearest?.match.distance ?? .infinity { nearest = (index, match) }
    }
    if let earlier = events[..<start].first(where: { matcher.match($0, event)?.isMet == true }) {
      return (
        nil, "It happened at \(earlier.time.text), before the event that is expected before it."
      )
    }
    guard let nearest else {
      let after = place.next == 0 ? "" : " after \(events[place.next].time.text)"
      return (nil, "No such event happened\(after).")
    }
    return (
      nil, "The nearest, at \(events[nearest.index].time.text): " + nearest.match.objection
    )
  }

  /// Returns an objection to an event that came too late.
  private func lateness(of index: Int, _ limit: Duration?) -> String? {
    guard let limit else { return nil }
    let time = beginning(of: index)
    let line = lines.filter { $0.start <= time && !$0.words.isEmpty }.max { $0.end < $1.end }
    let since = time - (line?.end ?? .zero)
    guard since > limit else { return nil }
    let what = line.map { "the end of “\($0.words)”" } ?? "the beginning"
    return
      "It happened at \(time.text), \(since.text) after \(what): \((since - limit).text) too late."
  }

  /// Returns the time of the first audio of a reply, however long the reply is.
  private func beginning(of index: Int) -> Duration {
    switch events[index].kind {
    case .replyFinished, .interrupted:
      let before = events[..<index].lastIndex {
        switch $0.kind {
        case .replyFinished, .interrupted, .replyFailed: true
        default: false
        }
      }
      let start = before.map { $0 + 1 } ?? 0
      let first = events[start..<index].first {
        if case .speaking = $0.kind { true } else { false }
      }
      return first?.time ?? events[index].time
    default: return events[index].time
    }
  }

  /// Returns an objection to the first of the events that should not happen.
  private func objection(to isMeant: (VoiceLoopEvent.Kind) -> Bool) -> String? {
    events.first { isMeant($0.kind) }.map {
      "At \($0.time.text) it \($0.kind.inWords ?? "did")."
    }
  }

  /// Returns an objection to another history than the expected one.
  private func difference(
    from expected: [ConversationExpectation.HistoryEntry]
  ) -> String? {
    guard let entries = history?.entries else { return "The history is not known." }
    guard
      entries.count != expected.count || !zip(expected, entries).allSatisfy({ $0.matches($1) })
    else { return nil }
    guard !entries.isEmpty else { return "The history is empty." }
    let lines = entries.map { ConversationExpectation.HistoryEntry($0).description }
    return "The history is:\n" + lines.joined(separator: "\n").indented
  }

  /// Returns an objection to the turns in which a stage took too long.
  private func overrun(of stage: ConversationExpectation.Stage, _ limit: Duration) -> String? {
    let times = events.compactMap { event -> (turn: Int, length: Duration)? in
      guard case .timings(let timings) = event.kind else { return nil }
      return timings.length(of: stage).map { (timings.turn, $0) }
    }
    guard !times.isEmpty else { return "No turn had this stage, so nothing was measured." }
    let late = times.filter { $0.length > limit }
    guard !late.isEmpty else { return nil }
    return late.map { "In turn \($0.turn) it took \($0.length.text)." }.joined(separator: "\n")
  }
}

/// The progress through the events.
private struct Place {
  /// The index from which the next expectation is met.
  var next = 0
  private var used: Set<[Int]> = []

  /// Returns true if the event has met an expectation of this kind. One event may meet both a text
  /// and an intent, but not two texts.
  func isUsed(_ index: Int, _ event: ConversationExpectation.Event) -> Bool {
    used.contains([index, event.sort])
  }

  mutating func use(_ index: Int, _ event: ConversationExpectation.Event) {
    next = index
    used.insert([index, event.sort])
  }
}

extension ConversationExpectation.Event {
  fileprivate var sort: Int {
    switch self {
    case .heard: 0
    case .intent: 1
    default: 2
    }
  }
}

extension TurnTimings {
  func length(of stage: ConversationExpectation.Stage) -> Duration? {
    switch stage {
    case .endOfTurn: endOfTurn
    case .finalText: finalText
    case .firstToken: firstToken
    case .firstSound: firstSound
    case .total: total
    case .interruption: interruption
    }
  }
}

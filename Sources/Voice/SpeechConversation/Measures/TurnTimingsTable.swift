import SpeechAudio

/// The durations of the stages of turns over a whole conversation.
///
/// ```swift
/// var table = TurnTimingsTable()
/// for await event in loop.events {
///   if case .timings(let timings) = event.kind { table.add(timings) }
/// }
/// print(table.median(.total) ?? .zero, table.percentile(95, .total) ?? .zero)
/// ```
public struct TurnTimingsTable: Sendable, Hashable {
  /// A stage of a turn, as in `TurnTimings`.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// From the user's last voice to the decision that the turn is over.
    case endOfTurn
    /// From the end of the turn to the final text.
    case finalText
    /// From the final text to the first piece of the reply.
    case firstToken
    /// From the first piece of the reply to its first sample at the device.
    case firstSound
    /// From the user's last voice to the first sample of the reply.
    case total
    /// From the start of the user's voice over a reply to the silence of that reply.
    case interruption

    /// The name of the stage in words.
    public var title: String {
      switch self {
      case .endOfTurn: "end of turn"
      case .finalText: "final text"
      case .firstToken: "first token"
      case .firstSound: "first sound"
      case .total: "total"
      case .interruption: "interruption"
      }
    }
  }

  /// The timings that were added, the oldest first.
  public private(set) var turns: [TurnTimings] = []

  /// Creates a table of the given turns.
  public init(_ turns: some Sequence<TurnTimings> = []) {
    for turn in turns { add(turn) }
  }

  /// Creates a table of the turns whose timings are among the events.
  public init(events: some Sequence<VoiceLoopEvent>) {
    for event in events {
      if case .timings(let timings) = event.kind { add(timings) }
    }
  }

  /// Adds the timings of a turn. They replace earlier timings of the same turn.
  public mutating func add(_ timings: TurnTimings) {
    if turns.last?.turn == timings.turn { turns.removeLast() }
    turns.append(timings)
  }

  /// Returns the durations of a stage in the turns that had it, the shortest first.
  public func durations(of stage: Stage) -> [Duration] {
    turns.compactMap { $0[stage] }.sorted()
  }

  /// Returns the median duration of a stage; `nil` if no turn had it.
  public func median(_ stage: Stage) -> Duration? { percentile(50, stage) }

  /// Returns a percentile of a stage by the nearest rank, so it is a duration that was measured.
  public func percentile(_ percent: Double, _ stage: Stage) -> Duration? {
    let durations = durations(of: stage)
    guard !durations.isEmpty else { return nil }
    let rank = (min(max(percent, 0), 100) / 100 * Double(durations.count)).rounded(.up)
    return durations[max(0, Int(rank) - 1)]
  }
}

extension TurnTimings {
  /// The duration of a stage; `nil` if it is not known.
  public subscript(stage: TurnTimingsTable.Stage) -> Duration? {
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

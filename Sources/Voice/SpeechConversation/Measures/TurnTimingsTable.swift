import SpeechAudio

/// How long the stages of turns took, over a whole conversation.
///
/// ```swift
/// var table = TurnTimingsTable()
/// for await event in loop.events {
///   if case .timings(let timings) = event.kind { table.add(timings) }
/// }
/// print(table.median(.total) ?? .zero, table.percentile(95, .total) ?? .zero)
/// ```
public struct TurnTimingsTable: Sendable, Hashable {
  /// A stage of a turn.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// From the user's last voice until it was decided that the turn is over.
    case endOfTurn
    /// From there to the final text.
    case finalText
    /// From there to the first piece of the reply.
    case firstToken
    /// From there to the first sample of the reply at the device.
    case firstSound
    /// All of that.
    case total
    /// From the beginning of the user's voice over the reply to its silence.
    case interruption

    /// The stage in words.
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

  /// What was added, the oldest first.
  public private(set) var turns: [TurnTimings] = []

  /// A table of these turns.
  public init(_ turns: some Sequence<TurnTimings> = []) {
    for turn in turns { add(turn) }
  }

  /// The turns whose timings are among the events.
  public init(events: some Sequence<VoiceLoopEvent>) {
    for event in events {
      if case .timings(let timings) = event.kind { add(timings) }
    }
  }

  /// Adds a turn; of several timings of one turn the last counts.
  public mutating func add(_ timings: TurnTimings) {
    if turns.last?.turn == timings.turn { turns.removeLast() }
    turns.append(timings)
  }

  /// How long that stage took in the turns that had it, the shortest first.
  public func durations(of stage: Stage) -> [Duration] {
    turns.compactMap { $0[stage] }.sorted()
  }

  /// What half of the turns did not exceed; `nil` if none had that stage.
  public func median(_ stage: Stage) -> Duration? { percentile(50, stage) }

  /// What so many in a hundred turns did not exceed: the nearest rank, a time that was measured.
  public func percentile(_ percent: Double, _ stage: Stage) -> Duration? {
    let durations = durations(of: stage)
    guard !durations.isEmpty else { return nil }
    let rank = (min(max(percent, 0), 100) / 100 * Double(durations.count)).rounded(.up)
    return durations[max(0, Int(rank) - 1)]
  }
}

extension TurnTimings {
  /// How long that stage took; `nil` if it is not known.
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

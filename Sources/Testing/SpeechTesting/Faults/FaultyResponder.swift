import SpeechConcurrency

/// A responder that misbehaves at given turns, and otherwise does what the one it wraps does.
///
/// ```swift
/// let responder = FaultyResponder(
///   assistant, [2: .late(.seconds(6)), 3: .fails("no network")], clock: clock)
/// ```
public struct FaultyResponder: RelayingResponder {
  /// The kinds of misbehaviour.
  public enum Misbehaviour: Sendable, Hashable {
    /// The first piece arrives late by this time.
    case late(Duration)
    /// It fails before its first piece.
    case fails(String)
    /// It fails after its first piece.
    case breaksOff(String)
    /// It says nothing after its first piece and never ends.
    case stalls
    /// It never says anything and never ends.
    case hangs
  }

  package let target: any Responder
  private let faults: [Int: Misbehaviour]
  private let clock: any DeviceClock

  /// Wraps a responder with faults by the number of the turn, counted from 1.
  public init(
    _ responder: any Responder, _ faults: [Int: Misbehaviour], clock: any DeviceClock = RealClock()
  ) {
    target = responder
    self.faults = faults
    self.clock = clock
  }

  /// Returns the reply of the inner responder, or misbehaves.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    let number = history.entries.count { $0.speaker == .user } + 1
    guard let fault = faults[number] else { return target.reply(to: turn, in: history) }
    return .pieces { [target, clock] pieces in
      try await fault.begin(on: clock)
      for try await piece in target.reply(to: turn, in: history) {
        pieces.yield(piece)
        try await fault.follow(on: clock)
      }
    }
  }
}

extension FaultyResponder.Misbehaviour {
  /// Performs the part of the fault that precedes the first piece.
  func begin(on clock: any DeviceClock) async throws {
    switch self {
    case .late(let delay): try await clock.sleep(until: clock.time + delay)
    case .fails(let reason): throw PlannedFailure(reason: reason)
    case .hangs: try await Self.waitForEver(on: clock)
    case .breaksOff, .stalls: break
    }
  }

  /// Performs the part of the fault that follows the first piece.
  func follow(on clock: any DeviceClock) async throws {
    switch self {
    case .breaksOff(let reason): throw PlannedFailure(reason: reason)
    case .stalls: try await Self.waitForEver(on: clock)
    case .late, .fails, .hangs: break
    }
  }

  private static func waitForEver(on clock: any DeviceClock) async throws {
    while true { try await clock.sleep(until: clock.time + .seconds(3_600)) }
  }
}

/// A failure that a test has planned.
struct PlannedFailure: Error, LocalizedError {
  var reason: String
  var errorDescription: String? { reason }
}

import SpeechAudio
import SpeechConcurrency

/// Asks one responder after the other until one answers: the next takes over when the one before fails, or
/// says nothing for too long, before its first piece.
///
/// ```swift
/// let chain = ResponderChain([cloud, local], patience: .seconds(3))
/// ```
public struct ResponderChain: Responder {
  private let responders: [any Responder]
  private let patience: Duration
  private let clock: any DeviceClock

  /// A chain of these, asked in this order.
  ///
  /// - Parameter patience: how long each but the last may take for its first piece.
  public init(
    _ responders: [any Responder], patience: Duration = .seconds(5),
    clock: any DeviceClock = RealClock()
  ) {
    self.responders = responders
    self.patience = patience
    self.clock = clock
  }

  /// What the first one says that answers. Once it has said something, its failure is the chain's.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .pieces { pieces in
      var failure: any Error = VoiceLoopError.noResponder
      for (index, responder) in responders.enumerated() {
        let isLast = index == responders.count - 1
        let hasBegun = OnceFlag()
        do {
          try await withTimeLimit(isLast ? nil : patience, unless: hasBegun) {
            for try await piece in responder.reply(to: turn, in: history) {
              _ = hasBegun.raise()
              pieces.yield(piece)
            }
            try Task.checkCancellation()
          }
          return
        } catch {
          try Task.checkCancellation()
          // `raise` is false when something was said already.
          guard hasBegun.raise() else { throw error }
          failure = error
        }
      }
      throw failure
    }
  }

  /// Runs the work, and cancels it when the time is over and nothing has begun.
  private func withTimeLimit(
    _ limit: Duration?, unless hasBegun: OnceFlag,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let limit else { return try await work() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await work()
        return true
      }
      group.addTask { [clock] in
        try await clock.sleep(until: clock.time + limit)
        return false
      }
      defer { group.cancelAll() }
      while let isDone = try await group.next() {
        if isDone { return }
        if hasBegun.isUp { continue }
        throw VoiceLoopError.responderTimedOut
      }
    }
  }
}

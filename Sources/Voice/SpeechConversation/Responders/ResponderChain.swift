import SpeechAudio
import SpeechConcurrency

/// Asks several responders in turn until one answers. The next one takes over if the one before
/// fails or exceeds its time limit before its first piece.
///
/// ```swift
/// let chain = ResponderChain([cloud, local], timeout: .seconds(3))
/// ```
public struct ResponderChain: Responder {
  private let responders: [any Responder]
  private let timeout: Duration
  private let clock: any DeviceClock

  /// Creates a chain that asks the responders in the given order.
  ///
  /// - Parameter timeout: The time limit for the first piece of every responder but the last.
  public init(
    _ responders: [any Responder], timeout: Duration = .seconds(5),
    clock: any DeviceClock = RealClock()
  ) {
    self.responders = responders
    self.timeout = timeout
    self.clock = clock
  }

  /// Returns the reply of the first responder that answers. A failure after its first piece is the
  /// chain's failure.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .pieces { pieces in
      var failure: any Error = VoiceLoopError.noResponder
      for (index, responder) in responders.enumerated() {
        let isLast = index == responders.count - 1
        let hasBegun = OnceFlag()
        do {
          try await withTimeLimit(isLast ? nil : timeout, unless: hasBegun) {
            let reply = HandlerCall.run(responder.handlerName) {
              responder.reply(to: turn, in: history)
            }
            for try await piece in reply {
              _ = hasBegun.raise()
              pieces.yield(piece)
            }
            try Task.checkCancellation()
          }
          return
        } catch {
          try Task.checkCancellation()
          // `raise` returns false if a piece has been yielded already.
          guard hasBegun.raise() else { throw error }
          failure = error
        }
      }
      throw failure
    }
  }

  /// Runs the work, and cancels it if nothing has begun within the time limit.
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

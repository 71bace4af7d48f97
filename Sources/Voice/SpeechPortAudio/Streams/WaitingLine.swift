import SpeechConcurrency

/// Callers who wait until something has an answer for them, in the order in which they came.
///
/// Whoever changes what the answers depend on calls `serve(_:)` afterwards. Answers are looked for under
/// the line's lock, which makes two callers' turns one after the other; so the search may take a lock of
/// its own, and must not be called with that held.
final class WaitingLine<Wish: Sendable, Answer: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Answer, any Error>

  private struct State {
    var waiters: [(id: Int, wish: Wish, waiter: Waiter)] = []
    var lastID = 0
  }

  private let state = Guarded(State())

  /// Waits for the answer to that wish.
  ///
  /// - Parameter search: looks for the answer to a wish, nil as long as there is none; the same as for
  ///   `serve(_:)`.
  /// - Throws: what the answer says, `CancellationError` when the task is cancelled.
  func wait(
    for wish: Wish, _ search: (Wish) -> Result<Answer, any Error>?
  ) async throws -> Answer {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          // Asked under the lock: either the cancellation is seen here, or its handler finds us.
          if Task.isCancelled { return true }
          state.waiters.append((id, wish, continuation))
          return false
        }
        if isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          serve(search)
        }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiters.remove(at: index).waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// Answers those whose wishes have come true.
  func serve(_ search: (Wish) -> Result<Answer, any Error>?) {
    let served = state.withLock { state in
      var served: [(Waiter, Result<Answer, any Error>)] = []
      state.waiters.removeAll { _, wish, waiter in
        guard let answer = search(wish) else { return false }
        served.append((waiter, answer))
        return true
      }
      return served
    }
    for (waiter, answer) in served { waiter.resume(with: answer) }
  }
}

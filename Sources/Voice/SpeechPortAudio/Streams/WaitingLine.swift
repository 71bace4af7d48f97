import SpeechConcurrency

/// Callers that wait for an answer, in the order of their arrival.
///
/// After a change that answers depend on, `serve(_:)` must be called. Answers are searched for
/// under the queue's lock, which serialises the callers; the search may therefore take a lock of
/// its own, and must not be called while holding it.
final class WaitingLine<Wish: Sendable, Answer: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Answer, any Error>

  private struct State {
    var waiters: [(id: Int, wish: Wish, waiter: Waiter)] = []
    var lastID = 0
  }

  private let state = Guarded(State())

  /// Waits for the answer to a request.
  ///
  /// - Parameter search: finds the answer to a request, or `nil` while there is none; the same as
  ///   for `serve(_:)`.
  /// - Throws: the error of the answer, or `CancellationError` if the task is cancelled.
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
          // Checked under the lock: either the cancellation is seen here, or its handler finds the
          // caller.
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

  /// Answers the callers whose answers are available.
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

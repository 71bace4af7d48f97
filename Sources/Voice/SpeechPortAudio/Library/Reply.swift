import SpeechConcurrency

/// The one answer to a caller who waits: the first that gives it wins, later ones learn that they are
/// too late.
final class Reply<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, any Error>)
    case answered(Result<Value, any Error>)
    case done
  }

  private let state = Guarded(State.open)

  /// Whether an answer is still wanted.
  var isWanted: Bool {
    state.withLock { state in
      switch state {
      case .open, .waiting: true
      case .answered, .done: false
      }
    }
  }

  /// Answers; false when there was an answer before.
  @discardableResult
  func give(_ result: Result<Value, any Error>) -> Bool {
    let (accepted, waiter) = state.withLock {
      state -> (Bool, CheckedContinuation<Value, any Error>?) in
      switch state {
      case .open:
        state = .answered(result)
        return (true, nil)
      case .waiting(let continuation):
        state = .done
        return (true, continuation)
      case .answered, .done:
        return (false, nil)
      }
    }
    waiter?.resume(with: result)
    return accepted
  }

  /// Waits for the answer. For one caller.
  ///
  /// - Throws: what was given, `CancellationError` when the task is cancelled first.
  func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early = state.withLock { state -> Result<Value, any Error>? in
          switch state {
          case .open:
            state = .waiting(continuation)
            return nil
          case .answered(let result):
            state = .done
            return result
          case .waiting, .done:
            return .failure(CancellationError())
          }
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      give(.failure(CancellationError()))
    }
  }
}

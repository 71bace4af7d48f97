import SpeechConcurrency

/// The only answer to a waiting caller. The first answer counts; later ones are rejected.
final class Reply<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, any Error>)
    case answered(Result<Value, any Error>)
    case done
  }

  private let state = Guarded(State.open)

  /// True while an answer is wanted.
  var isWanted: Bool {
    state.withLock { state in
      switch state {
      case .open, .waiting: true
      case .answered, .done: false
      }
    }
  }

  /// Gives an answer. Returns false if there was one before.
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
  /// - Throws: the error that was given, or `CancellationError` if the task is cancelled first.
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

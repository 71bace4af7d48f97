/// The first of several results, for one waiting task: that of a call or of its timeout.
package final class FirstResult<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, any Error>)
    case given(Result<Value, any Error>)
    case done
  }

  private let state = Guarded(State.open)

  package init() {}

  /// True until a result is given.
  package var isWanted: Bool {
    state.withLock { state in
      switch state {
      case .open, .waiting: true
      case .given, .done: false
      }
    }
  }

  /// Gives a result. Returns false if there was one before.
  @discardableResult
  package func give(_ result: Result<Value, any Error>) -> Bool {
    let (accepted, waiter) = state.withLock {
      state -> (Bool, CheckedContinuation<Value, any Error>?) in
      switch state {
      case .open:
        state = .given(result)
        return (true, nil)
      case .waiting(let continuation):
        state = .done
        return (true, continuation)
      case .given, .done:
        return (false, nil)
      }
    }
    waiter?.resume(with: result)
    return accepted
  }

  /// Waits for the result. For one caller.
  ///
  /// - Throws: the error that was given, or `CancellationError` if the task is cancelled first.
  package func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early = state.withLock { state -> Result<Value, any Error>? in
          switch state {
          case .open:
            state = .waiting(continuation)
            return nil
          case .given(let result):
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

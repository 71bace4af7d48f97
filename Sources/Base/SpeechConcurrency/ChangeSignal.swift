/// Wakes all tasks that wait for a change.
package final class ChangeSignal: Sendable {
  private struct State {
    var version = 0
    var nextID = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Guarded(State())

  package init() {}

  package var version: Int { state.withLock(\.version) }

  package func notify() {
    let waiting = state.withLock { state in
      state.version += 1
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the body returns a value. It is called now, and again after each change.
  ///
  /// - Throws: errors of the body; `CancellationError` when the task is cancelled.
  nonisolated(nonsending) package func wait<Value>(
    for body: () throws -> Value?
  ) async throws -> Value {
    while true {
      let version = version
      if let value = try body() { return value }
      try await wait(after: version)
    }
  }

  /// Waits until the condition holds. It is checked now, and again after each change.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  nonisolated(nonsending) package func wait(until condition: () -> Bool) async throws {
    try await wait { condition() ? () : nil }
  }

  /// Waits until the version is later than the given one, which was read before the state of
  /// interest, so that no change in between is missed.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  package func wait(after version: Int) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.version > version || state.cancelled.contains(id) { return true }
          state.waiting[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.cancelled.insert(id)
        return state.waiting.removeValue(forKey: id)
      }
      continuation?.resume()
    }
    state.withLock { state in _ = state.cancelled.remove(id) }
    try Task.checkCancellation()
  }
}

/// Wakes all tasks that wait for a change.
///
/// Read `version`, check the state of interest, and wait for a later version: a change in between
/// is not missed.
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

  /// Waits until the version is later than the given one.
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

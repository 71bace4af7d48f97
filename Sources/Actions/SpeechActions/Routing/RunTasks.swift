import SpeechConcurrency

/// The tasks of a run. Closing cancels all of them, from any thread, and prevents new ones.
final class RunTasks: Sendable {
  private struct State {
    var isClosed = false
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Guarded(State())

  /// Starts a task. Returns false if the tasks are closed.
  @discardableResult
  func begin(_ id: Int, _ work: @escaping @Sendable () async -> Void) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      // Created under the lock, so that no task can run without being cancellable.
      state.tasks[id] = Task { await work() }
      return true
    }
  }

  func end(_ id: Int) {
    _ = state.withLock { $0.tasks.removeValue(forKey: id) }
  }

  func cancel(_ id: Int) {
    let task = state.withLock { $0.tasks.removeValue(forKey: id) }
    task?.cancel()
  }

  func close() {
    let tasks = state.withLock { state in
      state.isClosed = true
      defer { state.tasks = [:] }
      return state.tasks.values
    }
    for task in tasks { task.cancel() }
  }
}

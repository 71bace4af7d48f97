import SpeechConcurrency

/// The tasks of a run. Once it is closed, at once and from anywhere, those that are there are cancelled and
/// none begins any more.
final class RunTasks: Sendable {
  private struct State {
    var isClosed = false
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Guarded(State())

  /// Begins a task.
  ///
  /// - Returns: whether it has begun.
  @discardableResult
  func begin(_ id: Int, _ work: @escaping @Sendable () async -> Void) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      // Under the lock, so that there is no moment in which a task runs that nobody could cancel.
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

import SpeechConcurrency

/// Runs waits that can be cancelled together.
final class CancellableWaits: Sendable {
  private struct State {
    var isCancelled = false
    var nextID = 0
    var running: [Int: Task<Void, any Error>] = [:]
  }

  private let state = Guarded(State())

  /// - Throws: `CancellationError` when `cancelAll()` is or was called, or the calling task is
  ///   cancelled.
  func run(_ wait: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await wait() }
    let id: Int? = state.withLock { state in
      guard !state.isCancelled else { return nil }
      state.nextID += 1
      state.running[state.nextID] = task
      return state.nextID
    }
    guard let id else {
      task.cancel()
      throw CancellationError()
    }
    defer { state.withLock { state in _ = state.running.removeValue(forKey: id) } }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  func cancelAll() {
    let running = state.withLock { state in
      state.isCancelled = true
      return state.running.values
    }
    for task in running { task.cancel() }
  }
}

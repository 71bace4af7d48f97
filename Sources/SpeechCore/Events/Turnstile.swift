/// Lets one through at a time, in the order they came.
@MainActor
package final class Turnstile {
  private var isTaken = false
  private var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var nextID = 0

  package init() {}

  /// Waits for its turn. Whoever entered has to `leave()`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or `dismissAll()` is called while waiting.
  package func enter() async throws {
    try Task.checkCancellation()
    guard isTaken else {
      isTaken = true
      return
    }
    nextID += 1
    let id = nextID
    let isAdmitted = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume(returning: false)
        } else {
          waiting.append((id, continuation))
        }
      }
    } onCancel: {
      Task { @MainActor in self.dismiss(id) }
    }
    guard isAdmitted else { throw CancellationError() }
  }

  package func leave() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().continuation.resume(returning: true)
    }
  }

  /// Sends away all who wait.
  package func dismissAll() {
    let dismissed = waiting
    waiting = []
    for entry in dismissed { entry.continuation.resume(returning: false) }
  }

  private func dismiss(_ id: Int) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).continuation.resume(returning: false)
  }
}

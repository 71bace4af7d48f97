/// Admits one caller at a time, in their order.
@MainActor
package final class Turnstile {
  private var isTaken = false
  private var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var nextID = 0
  /// The number of calls of `dismissAll()`.
  package private(set) var dismissals = 0

  package init() {}

  /// Waits for admission. Each admitted caller has to call `leave()`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or `dismissAll()` is called while
  ///   waiting.
  package func enter() async throws {
    try Task.checkCancellation()
    guard isTaken else {
      isTaken = true
      return
    }
    nextID += 1
    let id = nextID
    let dismissalsBefore = dismissals
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
    // Dismissed between being admitted and getting here: it must not continue.
    guard dismissals == dismissalsBefore, !Task.isCancelled else {
      leave()
      throw CancellationError()
    }
  }

  package func leave() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().continuation.resume(returning: true)
    }
  }

  /// Dismisses all waiting callers.
  package func dismissAll() {
    dismissals += 1
    let dismissed = waiting
    waiting = []
    for entry in dismissed { entry.continuation.resume(returning: false) }
  }

  /// Runs the body once it is admitted.
  ///
  /// - Throws: that error when dismissed by `dismissAll()`, `CancellationError` when the task is
  ///   cancelled, and the error of the body.
  package func run(
    orThrow refusal: any Error, _ body: @MainActor () async throws -> Void
  ) async throws {
    do {
      try await enter()
    } catch  where !Task.isCancelled {
      throw refusal
    }
    defer { leave() }
    try await body()
  }

  private func dismiss(_ id: Int) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).continuation.resume(returning: false)
  }
}

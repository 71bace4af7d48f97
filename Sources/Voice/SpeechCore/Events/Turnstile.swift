import SpeechConcurrency

/// Admits one caller at a time, in their order.
@MainActor
final class Turnstile {
  private var isTaken = false
  private var waiting: [FirstResult<Void>] = []
  /// The number of calls of `dismissAll()`.
  private(set) var dismissals = 0

  /// Waits for admission. Each admitted caller has to call `leave()`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or `dismissAll()` is called while
  ///   waiting.
  func enter() async throws {
    try Task.checkCancellation()
    guard isTaken else {
      isTaken = true
      return
    }
    let dismissalsBefore = dismissals
    let admission = FirstResult<Void>()
    waiting.append(admission)
    try await admission.value()
    // Dismissed between being admitted and getting here: it must not continue.
    guard dismissals == dismissalsBefore, !Task.isCancelled else {
      leave()
      throw CancellationError()
    }
  }

  func leave() {
    // A caller that was cancelled while waiting does not take its admission.
    while !waiting.isEmpty {
      if waiting.removeFirst().give(.success(())) { return }
    }
    isTaken = false
  }

  /// Dismisses all waiting callers.
  func dismissAll() {
    dismissals += 1
    for admission in waiting { admission.give(.failure(CancellationError())) }
    waiting = []
  }

  /// Runs the body once it is admitted.
  ///
  /// - Throws: that error when dismissed by `dismissAll()`, `CancellationError` when the task is
  ///   cancelled, and the error of the body.
  func run(
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
}
